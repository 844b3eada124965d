//! Positions linked by moves: a game, or a part of one.

use kiebitz_chess::{Color, Move, Outcome, Position};

/// What is known about a whole chain.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChainHead {
    /// Where it begins.
    pub start: Position,
    /// How the game ended.
    pub result: Option<Outcome>,
    /// The ratings of White and Black.
    pub ratings: [Option<u16>; 2],
}

/// What is known about one position of a chain, and the move that leads to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// The move that was played, or should be; only the last link of a chain may have none.
    pub mv: Option<Move>,
    /// A value of the position for the side to move, in the unit of its source; mates as [`kiebitz_chess::Score`] has them
    /// where the source tells them apart.
    pub score: Option<i16>,
    /// The mover's clock after the move, in hundredths of a second.
    pub clock: Option<u32>,
    /// Whether the position is a sample. The others only carry the chain on: they were filtered out, or not drawn.
    pub kept: bool,
}

impl Link {
    /// A sample with a move and nothing else.
    #[must_use]
    pub const fn new(mv: Option<Move>) -> Self {
        Self { mv, score: None, clock: None, kept: true }
    }
}

/// A start position and what followed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chain {
    /// What holds for all of it.
    pub head: ChainHead,
    /// Its positions, in order.
    pub links: Vec<Link>,
}

impl Chain {
    /// How many of the positions are samples.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.links.iter().filter(|link| link.kept).count()
    }

    /// Whether some sample has a score.
    #[must_use]
    pub fn has_scores(&self) -> bool {
        self.links.iter().any(|link| link.kept && link.score.is_some())
    }

    /// Shows every position with its link, kept or not.
    pub fn visit(&self, mut visitor: impl FnMut(&Position, &Link)) {
        let mut position = self.head.start.clone();
        for link in &self.links {
            visitor(&position, link);
            match link.mv {
                Some(mv) => position.play(mv),
                None => break,
            }
        }
    }

    /// Shows every position with its link, and lets the link be changed; the moves should stay.
    pub fn visit_mut(&mut self, mut visitor: impl FnMut(&Position, &mut Link)) {
        let mut position = self.head.start.clone();
        for link in &mut self.links {
            let mv = link.mv;
            visitor(&position, link);
            match mv {
                Some(mv) => position.play(mv),
                None => break,
            }
        }
    }

    /// The chain cut into pieces without gaps: every sample, and nothing else, for formats that cannot mark positions.
    pub fn kept_runs(&self, mut visitor: impl FnMut(Chain)) {
        if self.links.iter().all(|link| link.kept) {
            visitor(self.clone());
            return;
        }
        let mut run: Option<Chain> = None;
        self.visit(|position, link| {
            if link.kept {
                let head = || ChainHead { start: position.clone(), ..self.head.clone() };
                run.get_or_insert_with(|| Chain { head: head(), links: Vec::new() }).links.push(*link);
            } else if let Some(run) = run.take() {
                visitor(run);
            }
        });
        if let Some(run) = run {
            visitor(run);
        }
    }

    /// The samples as chains of one position each.
    pub fn singles(&self, mut visitor: impl FnMut(Chain)) {
        self.visit(|position, link| {
            if link.kept {
                let head = ChainHead { start: position.clone(), ..self.head.clone() };
                visitor(Chain { head, links: vec![*link] });
            }
        });
    }
}

/// One position with everything known about it; what [`crate::ChainDecoder`] shows.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// What holds for the whole chain.
    pub head: &'a ChainHead,
    /// The position.
    pub position: &'a Position,
    /// What is known about it.
    pub link: &'a Link,
}

impl Sample<'_> {
    /// The points of the side to move at the end of the game: 1, ½ or 0.
    #[must_use]
    pub fn points(&self) -> Option<f32> {
        self.head.result.map(|outcome| outcome.points(self.position.side_to_move()) as f32)
    }

    /// The rating of the side to move.
    #[must_use]
    pub fn mover_rating(&self) -> Option<u16> {
        self.head.ratings[self.position.side_to_move() as usize]
    }

    /// Plies since the start of the game.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.position.ply()
    }

    /// The score from White's view.
    #[must_use]
    pub fn white_score(&self) -> Option<i16> {
        self.link.score.map(
            |score| {
                if self.position.side_to_move() == Color::White { score } else { score.saturating_neg() }
            },
        )
    }
}
