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

use kiebitz_chess::{Color, Position};
#[cfg(target_arch = "x86_64")]
use kiebitz_kernels::Bmi2;

use crate::bits::{BitReader, BitWindow, BitWriter};
use crate::chain::{Chain, ChainHead, Link, Sample};
use crate::chain_flags::{Flags, Presence, SECOND};
use crate::error::ChainError;
use crate::move_code::{MOVE_BITS, put_move, take_move};
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

    /// Reads a link but for its move. The window that comes back has at least [`MOVE_BITS`] bits left.
    #[inline(always)]
    fn take(&mut self, reader: &mut BitReader<'_>, flags: Flags, mover: Color) -> (Link, BitWindow) {
        let mut window = reader.window();
        let mut link = Link::new(None);
        link.kept = flags.all_kept || window.take(1) == 1;
        let present = |presence, window: &mut BitWindow| match presence {
            Presence::None => false,
            Presence::All => true,
            Presence::Some => window.take(1) == 1,
        };
        if present(flags.scores, &mut window) {
            let score = self.predicted.wrapping_add(self.scores.take(&mut window)) as i16;
            self.predicted = -i32::from(score);
            link.score = Some(score);
        }
        if flags.clocks != Presence::None {
            window = reader.renew(window);
            if present(flags.clocks, &mut window) {
                let last = &mut self.last_clocks[mover as usize];
                *last = last.wrapping_add_signed(self.clocks.take(&mut window));
                link.clock = Some(if flags.whole_seconds { last.wrapping_mul(SECOND) } else { *last });
            }
        }
        // Only numbers that escape leave less.
        if !window.has(MOVE_BITS) {
            window = reader.renew(window);
        }
        (link, window)
    }
}

const _: () = assert!(2 + NumberCode::LONGEST <= BitWindow::BITS, "a mark, a presence and a number fit into a window");

/// Shows the positions of encoded chains, one after the other.
#[derive(Clone, Debug)]
pub struct ChainDecoder<'a> {
    reader: BitReader<'a>,
    head: ChainHead,
}

impl<'a> ChainDecoder<'a> {
    /// Decodes chains that stand one after the other.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { reader: BitReader::new(bytes, 0), head: ChainHead::default() }
    }

    /// Shows every position of the next chain, kept or not; `false` behind the last chain.
    ///
    /// # Errors
    ///
    /// When the bytes are not what an encoder writes. Positions before the damage have been shown; nothing sensible can be
    /// read after it.
    #[inline]
    pub fn visit_chain(&mut self, visitor: impl FnMut(Sample<'_>)) -> Result<bool, ChainError> {
        if self.reader.is_at_end() {
            return Ok(false);
        }
        let begin = self.begin_chain()?;
        #[cfg(target_arch = "x86_64")]
        if let Some(bmi2) = Bmi2::detect() {
            // The whole chain is decoded by the better instructions, not just the search for a square.
            bmi2.run(
                #[inline(always)]
                |bmi2| self.links(begin, ByDeposit(bmi2), visitor),
            )?;
            return Ok(true);
        }
        self.links(begin, ByHalving, visitor)?;
        Ok(true)
    }

    /// The next whole chain; `false` behind the last.
    ///
    /// # Errors
    ///
    /// As [`Self::visit_chain`].
    pub fn next_chain(&mut self, chain: &mut Chain) -> Result<bool, ChainError> {
        chain.links.clear();
        let more = self.visit_chain(|sample| chain.links.push(*sample.link))?;
        if more {
            chain.head.clone_from(&self.head);
        }
        Ok(more)
    }

    /// What stands before the links of a chain.
    #[inline(never)]
    fn begin_chain(&mut self) -> Result<ChainBegin, ChainError> {
        let damaged = |reason| ChainError::Damaged { reason };
        let reader = &mut self.reader;
        let flags = Flags::from_bits(reader.take(16)).ok_or(damaged("the flags of a chain"))?;
        let count = reader.take_varying().filter(|&count| count > 0 && count as usize <= MAX_LINKS);
        let count = count.ok_or(damaged("the length of a chain"))?;
        self.head.ratings = [None; 2];
        if flags.ratings {
            self.head.ratings = [(); 2].map(|()| Some(reader.take(16) as u16).filter(|&rating| rating > 0));
        }
        self.head.result = flags.outcome();
        self.head.start = if flags.initial {
            Position::default()
        } else {
            take_position(reader).map_err(|reason| ChainError::Start { reason })?
        };
        Ok(ChainBegin { flags, count })
    }

    /// The links of a chain, and the positions to which they belong.
    ///
    /// What changes from link to link is kept in variables of its own, so that the visitor, who sees the rest, cannot
    /// make the compiler doubt them.
    #[inline(always)]
    fn links(
        &mut self,
        ChainBegin { flags, count }: ChainBegin,
        pick: impl Pick,
        mut visitor: impl FnMut(Sample<'_>),
    ) -> Result<(), ChainError> {
        let head = &self.head;
        let mut reader = self.reader.clone();
        let mut state = LinkState::default();
        let mut position = head.start.clone();
        for left in (0..count).rev() {
            let (mut link, mut window) = state.take(&mut reader, flags, position.side_to_move());
            if left > 0 || !flags.endless {
                let mv = take_move(&mut window, &position, pick).ok_or(ChainError::Damaged { reason: "a move" })?;
                link.mv = Some(mv);
            }
            reader.leave(window);
            if left == 0 {
                reader.align();
                if reader.is_overrun() {
                    return Err(ChainError::Damaged { reason: "the end of a chain" });
                }
            }
            visitor(Sample { head, position: &position, link: &link });
            if let Some(mv) = link.mv {
                position.play(mv);
            }
        }
        self.reader = reader;
        Ok(())
    }
}

/// What the links of a chain depend on, besides its start.
struct ChainBegin {
    flags: Flags,
    /// How many links there are.
    count: u32,
}
