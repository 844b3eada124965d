//! Memory that is used again in every step, so that the system need not hand it out, and clear it, again and again.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Lists that nobody uses just now.
#[derive(Debug, Default)]
pub(super) struct Rooms {
    free: Mutex<Vec<Vec<f32>>>,
}

/// A list that goes back when it is dropped.
#[derive(Debug)]
pub(super) struct Room<'a> {
    rooms: &'a Rooms,
    numbers: Vec<f32>,
}

impl Rooms {
    /// So many zeros.
    pub(super) fn zeros(&self, count: usize) -> Room<'_> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        // The smallest that is large enough, of equal ones the last that came back: it is likely to lie in a cache.
        let fitting = free.iter().enumerate().rev().filter(|(_, list)| list.capacity() >= count);
        let place = fitting.min_by_key(|(_, list)| list.capacity()).map(|(place, _)| place);
        let mut numbers = place.map(|place| free.remove(place)).unwrap_or_default();
        drop(free);
        numbers.clear();
        numbers.resize(count, 0.0);
        Room { rooms: self, numbers }
    }
}

impl Deref for Room<'_> {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.numbers
    }
}

impl DerefMut for Room<'_> {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.numbers
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        let mut free = self.rooms.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(std::mem::take(&mut self.numbers));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_come_back_as_zeros() {
        let rooms = Rooms::default();
        for count in [100, 10, 50, 200] {
            let mut room = rooms.zeros(count);
            assert_eq!(room.to_vec(), vec![0.0; count]);
            room.fill(7.0);
        }
        assert_eq!(rooms.free.lock().unwrap().len(), 2, "the first was large enough for the next two");
    }
}
