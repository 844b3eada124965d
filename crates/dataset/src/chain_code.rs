//! A chain as bytes.
//!
//! ```text
//! flags          2 bytes: what the chain has (see chain_flags)
//! count          positions, seven bits a byte
//! ratings        White's and Black's, 2 bytes each, 0 for unknown      if they are known
//! start          see packed_position                                   unless it is the initial position
//! for each position, in bits:
//!   kept         1 bit                                                 if not all are kept
//!   score        1 bit and/or the difference to the last one, negated  if there are scores
//!   clock        1 bit and/or the difference to the mover's last one   if there are clocks
//!   move         see move_code                                         but for a last position without one
//! ```
//!
//! filled up to a whole byte. **Invariants:** what is decoded was legal, position for position; no bytes make decoding
//! panic or run on for longer than the count of positions says, and that is at most [`MAX_LINKS`].

use kiebitz_chess::{Color, Position, Unobserved};
#[cfg(target_arch = "x86_64")]
use kiebitz_kernels::Bmi2;

use crate::bits::{BitReader, BitWriter};
use crate::chain::{Chain, ChainHead, Link, Sample};
use crate::chain_flags::{Flags, Presence, SECOND};
use crate::error::ChainError;
use crate::move_code::{put_move, take_move};
use crate::number_code::NumberCode;
use crate::packed_position::{put_position, take_position};
#[cfg(target_arch = "x86_64")]
use crate::pick::ByDeposit;
use crate::pick::{ByHalving, Pick};
use crate::shard::Counts;

/// The most positions in one chain.
pub const MAX_LINKS: usize = 65_535;

/// Differences of scores begin about here, in the folded form.
const FIRST_SCORE: NumberCode = NumberCode::expecting(40);
/// Differences of clocks, in seconds or hundredths.
const FIRST_CLOCK: NumberCode = NumberCode::expecting(16);

/// Chains as bytes that are ready to be written, and how many chains, positions and samples they are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EncodedChains {
    /// The bytes, chain after chain.
    pub bytes: Vec<u8>,
    /// What they hold.
    pub counts: Counts,
}

/// Turns chains into bytes, one after the other.
#[derive(Debug, Default)]
pub struct ChainEncoder {
    writer: BitWriter,
}

impl ChainEncoder {
    /// The bytes of one chain, until the next call.
    ///
    /// # Errors
    ///
    /// When the chain is empty or too long, and when a move is missing or illegal.
    pub fn encode(&mut self, chain: &Chain) -> Result<&[u8], ChainError> {
        let count = chain.links.len();
        if count == 0 || count > MAX_LINKS {
            return Err(ChainError::Length { count });
        }
        let flags = Flags::of(chain);
        let writer = &mut self.writer;
        writer.clear();
        writer.put(flags.to_bits(), 16);
        writer.put_varying(count as u32);
        if flags.ratings {
            for rating in chain.head.ratings {
                writer.put(u64::from(rating.unwrap_or(0)), 16);
            }
        }
        if !flags.initial {
            put_position(writer, &chain.head.start);
        }
        let mut state = LinkState::default();
        let mut position = chain.head.start.clone();
        for (number, link) in chain.links.iter().enumerate() {
            state.put(writer, flags, link, position.side_to_move());
            match link.mv {
                Some(mv) if put_move(writer, &position, mv) => position.play(mv),
                None if number + 1 == count => {}
                mv => {
                    return Err(ChainError::Move { number, mv, fen: position.to_string() });
                }
            }
        }
        writer.align();
        Ok(writer.bytes())
    }
}

/// What the code of a link depends on besides the position.
#[derive(Clone, Debug)]
struct LinkState {
    scores: NumberCode,
    /// The last score as the next mover sees it.
    predicted: i32,
    clocks: NumberCode,
    last_clocks: [u32; 2],
}

impl Default for LinkState {
    fn default() -> Self {
        Self { scores: FIRST_SCORE, predicted: 0, clocks: FIRST_CLOCK, last_clocks: [0; 2] }
    }
}

impl LinkState {
    fn put(&mut self, writer: &mut BitWriter, flags: Flags, link: &Link, mover: Color) {
        if !flags.all_kept {
            writer.put(u64::from(link.kept), 1);
        }
        if flags.scores == Presence::Some {
            writer.put(u64::from(link.score.is_some()), 1);
        }
        if let Some(score) = link.score {
            self.scores.put(writer, i32::from(score) - self.predicted);
            self.predicted = -i32::from(score);
        }
        if flags.clocks == Presence::Some {
            writer.put(u64::from(link.clock.is_some()), 1);
        }
        if let Some(clock) = link.clock {
            let units = if flags.whole_seconds { clock / SECOND } else { clock };
            let last = &mut self.last_clocks[mover as usize];
            self.clocks.put(writer, units.wrapping_sub(*last) as i32);
            *last = units;
        }
    }

    #[inline(always)]
    fn take(&mut self, reader: &mut BitReader<'_>, flags: Flags, mover: Color) -> Link {
        let mut link = Link::new(None);
        link.kept = flags.all_kept || reader.take(1) == 1;
        let present = |presence, reader: &mut BitReader<'_>| match presence {
            Presence::None => false,
            Presence::All => true,
            Presence::Some => reader.take(1) == 1,
        };
        if present(flags.scores, reader) {
            let score = self.predicted.wrapping_add(self.scores.take(reader)) as i16;
            self.predicted = -i32::from(score);
            link.score = Some(score);
        }
        if present(flags.clocks, reader) {
            let last = &mut self.last_clocks[mover as usize];
            *last = last.wrapping_add_signed(self.clocks.take(reader));
            link.clock = Some(if flags.whole_seconds { last.wrapping_mul(SECOND) } else { *last });
        }
        link
    }
}

/// Shows the positions of encoded chains, one after the other.
#[derive(Clone, Debug)]
pub struct ChainDecoder<'a> {
    reader: BitReader<'a>,
    end: usize,
    head: ChainHead,
    flags: Flags,
    state: LinkState,
    /// The current position and the one before or after it, alternating.
    positions: [Position; 2],
    current: usize,
    link: Link,
    /// Links of the chain that have not been shown.
    left: u32,
}

impl<'a> ChainDecoder<'a> {
    /// Decodes chains that stand one after the other.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            reader: BitReader::new(bytes, 0),
            end: bytes.len() * 8,
            head: ChainHead::default(),
            flags: Flags::default(),
            state: LinkState::default(),
            positions: Default::default(),
            current: 0,
            link: Link::new(None),
            left: 0,
        }
    }

    /// Whether the next position begins a chain, or there is none.
    #[must_use]
    pub fn is_between_chains(&self) -> bool {
        self.left == 0
    }

    /// The next position, kept or not; `None` behind the last.
    ///
    /// # Errors
    ///
    /// When the bytes are not what an encoder writes. Nothing sensible can be read after that.
    #[inline]
    pub fn next_sample(&mut self) -> Result<Option<Sample<'_>>, ChainError> {
        #[cfg(target_arch = "x86_64")]
        let more = match Bmi2::detect() {
            // The whole step is compiled for the better instructions, not just the search for a square.
            Some(bmi2) => bmi2.run(
                #[inline(always)]
                |bmi2| self.step(ByDeposit(bmi2)),
            ),
            None => self.step(ByHalving),
        };
        #[cfg(not(target_arch = "x86_64"))]
        let more = self.step(ByHalving);
        Ok(more?.then_some(Sample { head: &self.head, position: &self.positions[self.current], link: &self.link }))
    }

    /// Goes on to the next position; `false` behind the last.
    #[inline(always)]
    fn step(&mut self, pick: impl Pick) -> Result<bool, ChainError> {
        if self.left > 0 {
            self.play();
        } else if !self.begin_chain()? {
            return Ok(false);
        }
        self.left -= 1;
        let position = &self.positions[self.current];
        self.link = self.state.take(&mut self.reader, self.flags, position.side_to_move());
        if self.left > 0 || !self.flags.endless {
            self.link.mv =
                Some(take_move(&mut self.reader, position, pick).ok_or(ChainError::Damaged { reason: "a move" })?);
        }
        if self.left == 0 {
            self.reader.align();
            if self.reader.is_overrun() {
                return Err(ChainError::Damaged { reason: "the end of a chain" });
            }
        }
        Ok(true)
    }

    /// The next whole chain; `false` behind the last. Call it between chains.
    ///
    /// # Errors
    ///
    /// As [`Self::next_sample`].
    pub fn next_chain(&mut self, chain: &mut Chain) -> Result<bool, ChainError> {
        chain.links.clear();
        loop {
            let Some(sample) = self.next_sample()? else {
                return Ok(false);
            };
            chain.links.push(*sample.link);
            if self.left == 0 {
                chain.head.clone_from(&self.head);
                return Ok(true);
            }
        }
    }

    #[inline(always)]
    fn play(&mut self) {
        let [one, other] = &mut self.positions;
        let (before, after) = if self.current == 0 { (one, other) } else { (other, one) };
        if let Some(mv) = self.link.mv {
            before.play_into(mv, after, &mut Unobserved);
        }
        self.current ^= 1;
    }

    #[inline(never)]
    fn begin_chain(&mut self) -> Result<bool, ChainError> {
        let damaged = |reason| ChainError::Damaged { reason };
        let reader = &mut self.reader;
        if reader.at() >= self.end {
            return Ok(false);
        }
        self.flags = Flags::from_bits(reader.take(16)).ok_or(damaged("the flags of a chain"))?;
        let count = reader.take_varying().filter(|&count| count > 0 && count as usize <= MAX_LINKS);
        self.left = count.ok_or(damaged("the length of a chain"))?;
        self.head.ratings = [None; 2];
        if self.flags.ratings {
            self.head.ratings = [(); 2].map(|()| Some(reader.take(16) as u16).filter(|&rating| rating > 0));
        }
        self.head.result = self.flags.outcome();
        self.head.start = if self.flags.initial {
            Position::default()
        } else {
            take_position(reader).map_err(|reason| ChainError::Start { reason })?
        };
        self.current = 0;
        self.positions[0].clone_from(&self.head.start);
        self.state = LinkState::default();
        Ok(true)
    }
}
