//! Reading numbers from bytes without ever reading beyond their end.

use crate::FileError;

/// A walk over bytes; all numbers are little-endian.
pub(crate) struct ByteReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> ByteReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// How many bytes are left.
    pub(crate) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or(&[])
    }

    pub(crate) fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], FileError> {
        let Some(part) = self.rest().get(..count) else {
            return Err(FileError::Truncated { what, at: self.at, wanted: count, left: self.left() });
        };
        self.at += count;
        Ok(part)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], FileError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N, what)?);
        Ok(array)
    }

    pub(crate) fn u32(&mut self, what: &'static str) -> Result<u32, FileError> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    pub(crate) fn u64(&mut self, what: &'static str) -> Result<u64, FileError> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    pub(crate) fn i8s(&mut self, count: usize, what: &'static str) -> Result<Vec<i16>, FileError> {
        Ok(self.take(count, what)?.iter().map(|&byte| i16::from(byte as i8)).collect())
    }

    pub(crate) fn i16s(&mut self, count: usize, what: &'static str) -> Result<Vec<i16>, FileError> {
        let bytes = self.take(count.saturating_mul(2), what)?;
        Ok(bytes.as_chunks::<2>().0.iter().map(|&pair| i16::from_le_bytes(pair)).collect())
    }

    pub(crate) fn i32s(&mut self, count: usize, what: &'static str) -> Result<Vec<i32>, FileError> {
        let bytes = self.take(count.saturating_mul(4), what)?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|&four| i32::from_le_bytes(four)).collect())
    }

    /// Nothing may follow.
    pub(crate) fn end(&self) -> Result<(), FileError> {
        if self.left() == 0 { Ok(()) } else { Err(FileError::TrailingBytes { count: self.left() }) }
    }
}

pub(crate) fn push_i16s(bytes: &mut Vec<u8>, values: &[i16]) {
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

pub(crate) fn push_i32s(bytes: &mut Vec<u8>, values: &[i32]) {
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

/// Weights that are known to fit a byte.
pub(crate) fn push_i8s(bytes: &mut Vec<u8>, values: &[i16]) {
    bytes.extend(values.iter().map(|&value| value as i8 as u8));
}
