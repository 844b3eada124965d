//! A table with a row for each sample, as data frames read and write it.
//!
//! | column | type | what it is |
//! |---|---|---|
//! | `fen` | text | the position |
//! | `move` | text | in coordinates, castling as king takes rook |
//! | `score` | integer | for the side to move |
//! | `result` | text | `1-0`, `1/2-1/2`, `0-1` |
//! | `white_rating`, `black_rating` | integer | |
//! | `clock` | integer | the mover's, in hundredths of a second |
//!
//! Only `fen` must be there; other columns are passed over. Rows that follow each other are linked to games again.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kiebitz_chess::{CastlingForm, Color, FenMode, Outcome, Position};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::record::{Field, Row};
use parquet::schema::parser::parse_message_type;

use super::linking::Linker;
use super::{ChainSink, ChainSource};
use crate::output_file::OutputFile;
use crate::{Chain, ChainHead, DatasetError, Link, WrittenFile};

const SCHEMA: &str = "message samples {
    required binary fen (UTF8);
    optional binary move (UTF8);
    optional int32 score;
    optional binary result (UTF8);
    optional int32 white_rating;
    optional int32 black_rating;
    optional int64 clock;
}";
/// Rows that are compressed together.
const ROWS: usize = 1 << 16;

/// Reads rows, a group of them at a time.
#[derive(Debug)]
pub(crate) struct ParquetSource {
    path: PathBuf,
    bytes: u64,
    reader: Table,
    next_group: usize,
    row: u64,
    linker: Linker,
}

/// The file with its metadata.
struct Table(SerializedFileReader<File>);

impl std::fmt::Debug for Table {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Table").field("row_groups", &self.0.num_row_groups()).finish()
    }
}

impl ParquetSource {
    pub(crate) fn open(path: &Path) -> Result<Self, DatasetError> {
        let file = File::open(path).map_err(DatasetError::io(path))?;
        let bytes = file.metadata().map_err(DatasetError::io(path))?.len();
        let foreign = |error: ParquetError| DatasetError::Foreign {
            file: path.to_owned(),
            expected: "a Parquet table",
            reason: error.to_string(),
        };
        let reader = SerializedFileReader::new(file).map_err(foreign)?;
        Ok(Self {
            path: path.to_owned(),
            bytes,
            reader: Table(reader),
            next_group: 0,
            row: 0,
            linker: Linker::default(),
        })
    }

    /// Reads the next group of rows; `false` behind the last.
    fn read_group(&mut self) -> Result<bool, DatasetError> {
        if self.next_group == self.reader.0.num_row_groups() {
            self.linker.end();
            return Ok(false);
        }
        let damaged = |row: u64, reason: String| {
            DatasetError::damaged(&self.path, 0, format!("row {row} of the table: {reason}"))
        };
        let said = |error: ParquetError| damaged(self.row, error.to_string());
        let group = self.reader.0.get_row_group(self.next_group).map_err(said)?;
        for row in group.get_row_iter(None).map_err(said)? {
            let (head, link) = row
                .map_err(|error| error.to_string())
                .and_then(|row| read_row(&row))
                .map_err(|reason| damaged(self.row, reason))?;
            self.row += 1;
            self.linker.add(head, link);
        }
        self.next_group += 1;
        Ok(true)
    }
}

impl ChainSource for ParquetSource {
    fn next_chain(&mut self, chain: &mut Chain) -> Result<bool, DatasetError> {
        loop {
            if let Some(next) = self.linker.take() {
                *chain = next;
                return Ok(true);
            }
            if !self.read_group()? {
                let Some(next) = self.linker.take() else { return Ok(false) };
                *chain = next;
                return Ok(true);
            }
        }
    }

    fn consumed(&self) -> u64 {
        // Groups are about equally large, and their true places do not matter to a progress bar.
        self.bytes * self.next_group as u64 / (self.reader.0.num_row_groups() as u64).max(1)
    }
}

fn read_row(row: &Row) -> Result<(ChainHead, Link), String> {
    let field = |name: &str| row.get_column_iter().find(|(column, _)| *column == name).map(|(_, field)| field);
    let text = |name: &str| match field(name) {
        Some(Field::Str(text)) => Ok(Some(text.clone())),
        Some(Field::Bytes(bytes)) => Ok(Some(String::from_utf8_lossy(bytes.data()).into_owned())),
        None | Some(Field::Null) => Ok(None),
        Some(other) => Err(format!("{name} is no text: {other}")),
    };
    let number = |name: &str| match field(name) {
        None | Some(Field::Null) => Ok(None),
        Some(field) => integer(field).map(Some).ok_or(format!("{name} is no number: {field}")),
    };
    let fen = text("fen")?.ok_or("there is no fen")?;
    let start = Position::from_fen(&fen, FenMode::Lenient).map_err(|error| format!("{fen}: {error}"))?;
    let mv = match text("move")? {
        Some(text) => Some(start.parse_uci(&text).map_err(|error| format!("{fen}: {error}"))?),
        None => None,
    };
    let result = match text("result")?.as_deref() {
        Some("1-0") => Some(Outcome::Win(Color::White)),
        Some("0-1") => Some(Outcome::Win(Color::Black)),
        Some("1/2-1/2") => Some(Outcome::Draw),
        None | Some("*") => None,
        Some(other) => return Err(format!("{other:?} is no result")),
    };
    let fits = |name: &str| format!("{name} is too large");
    let score = number("score")?.map(i16::try_from).transpose().map_err(|_| fits("score"))?;
    let clock = number("clock")?.map(u32::try_from).transpose().map_err(|_| fits("clock"))?;
    let rating = |name: &str| number(name)?.map(u16::try_from).transpose().map_err(|_| fits(name));
    let ratings = [rating("white_rating")?, rating("black_rating")?];
    Ok((ChainHead { start, result, ratings }, Link { score, clock, ..Link::new(mv) }))
}

fn integer(field: &Field) -> Option<i64> {
    Some(match *field {
        Field::Byte(value) => value.into(),
        Field::Short(value) => value.into(),
        Field::Int(value) => value.into(),
        Field::Long(value) => value,
        Field::UByte(value) => value.into(),
        Field::UShort(value) => value.into(),
        Field::UInt(value) => value.into(),
        _ => return None,
    })
}

/// Writes rows.
pub(crate) struct ParquetSink {
    path: PathBuf,
    writer: SerializedFileWriter<OutputFile>,
    rows: Rows,
}

/// Rows that wait to be written, column by column.
#[derive(Default)]
struct Rows {
    fens: Vec<ByteArray>,
    moves: Vec<Option<ByteArray>>,
    scores: Vec<Option<i32>>,
    results: Vec<Option<ByteArray>>,
    ratings: [Vec<Option<i32>>; 2],
    clocks: Vec<Option<i64>>,
}

impl ParquetSink {
    pub(crate) fn create(path: &Path) -> Result<Self, DatasetError> {
        let file = OutputFile::create(path)?;
        let refused = |error: ParquetError| refused(path, &error);
        let schema = parse_message_type(SCHEMA).map_err(refused)?;
        let level = ZstdLevel::try_new(3).map_err(refused)?;
        let properties = WriterProperties::builder().set_compression(Compression::ZSTD(level)).build();
        let writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties)).map_err(refused)?;
        Ok(Self { path: path.to_owned(), writer, rows: Rows::default() })
    }

    fn end_group(&mut self) -> Result<(), DatasetError> {
        let rows = std::mem::take(&mut self.rows);
        if rows.fens.is_empty() {
            return Ok(());
        }
        rows.write(&mut self.writer).map_err(|error| refused(&self.path, &error))
    }
}

fn refused(path: &Path, error: &ParquetError) -> DatasetError {
    DatasetError::Inexpressible { file: path.to_owned(), reason: error.to_string() }
}

impl Rows {
    fn write(self, writer: &mut SerializedFileWriter<OutputFile>) -> Result<(), ParquetError> {
        let mut group = writer.next_row_group()?;
        if let Some(mut column) = group.next_column()? {
            column.typed::<ByteArrayType>().write_batch(&self.fens, None, None)?;
            column.close()?;
        }
        optional::<ByteArrayType>(&mut group, &self.moves)?;
        optional::<Int32Type>(&mut group, &self.scores)?;
        optional::<ByteArrayType>(&mut group, &self.results)?;
        for ratings in &self.ratings {
            optional::<Int32Type>(&mut group, ratings)?;
        }
        optional::<Int64Type>(&mut group, &self.clocks)?;
        group.close()?;
        Ok(())
    }
}

/// Writes the next column: the values that are there, and which are.
fn optional<T: parquet::data_type::DataType>(
    group: &mut SerializedRowGroupWriter<'_, OutputFile>,
    values: &[Option<T::T>],
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    let present: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let values: Vec<T::T> = values.iter().flatten().cloned().collect();
    column.typed::<T>().write_batch(&values, Some(&present), None)?;
    column.close()
}

impl ChainSink for ParquetSink {
    fn write(&mut self, chain: &Chain) -> Result<(), DatasetError> {
        let rows = &mut self.rows;
        let bytes = |text: String| ByteArray::from(text.into_bytes());
        let result = chain.head.result.map(|result| bytes(result.to_string()));
        chain.visit(|position, link| {
            if link.kept {
                rows.fens.push(bytes(position.to_string()));
                rows.moves.push(link.mv.map(|mv| bytes(position.uci(mv, CastlingForm::KingTakesRook))));
                rows.scores.push(link.score.map(i32::from));
                rows.results.push(result.clone());
                for (column, rating) in rows.ratings.iter_mut().zip(chain.head.ratings) {
                    column.push(rating.map(i32::from));
                }
                rows.clocks.push(link.clock.map(i64::from));
            }
        });
        if rows.fens.len() >= ROWS { self.end_group() } else { Ok(()) }
    }

    fn bytes(&self) -> u64 {
        self.writer.bytes_written() as u64
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<WrittenFile>, DatasetError> {
        self.end_group()?;
        let path = self.path;
        let file = self.writer.into_inner().map_err(|error| refused(&path, &error))?;
        Ok(vec![file.finish()?])
    }
}
