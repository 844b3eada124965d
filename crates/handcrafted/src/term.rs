//! The terms of the evaluation: what they are called, how many weights each has, where those stand in the table.
//!
//! *Invariant:* this list alone decides the layout of the table of weights; the evaluation, the explanation, the tuner
//! and the file that the tuner writes all follow it.

/// A row of the explanation: terms that a reader wants to see summed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Group {
    /// The pieces themselves.
    Material,
    /// Where they stand.
    Squares,
    /// How pawns stand to each other.
    Pawns,
    /// Passed pawns and candidates.
    PassedPawns,
    /// Knights beyond their squares and moves.
    Knights,
    /// Bishops beyond their squares and moves.
    Bishops,
    /// Rooks beyond their squares and moves.
    Rooks,
    /// Queens beyond their squares and moves.
    Queens,
    /// How many useful squares the pieces reach.
    Mobility,
    /// Attack on the king, which grows faster than the sum of its parts, and the pawns around it.
    KingSafety,
    /// What is attacked and badly defended.
    Threats,
    /// Safe room behind the own pawns.
    Space,
    /// The right to move.
    Tempo,
    /// How much play is left for the side that is ahead.
    Complexity,
}

impl Group {
    /// Every group in the order of the explanation.
    pub const ALL: [Self; 14] = [
        Self::Material,
        Self::Squares,
        Self::Pawns,
        Self::PassedPawns,
        Self::Knights,
        Self::Bishops,
        Self::Rooks,
        Self::Queens,
        Self::Mobility,
        Self::KingSafety,
        Self::Threats,
        Self::Space,
        Self::Tempo,
        Self::Complexity,
    ];

    /// The name a person reads.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Squares => "squares",
            Self::Pawns => "pawns",
            Self::PassedPawns => "passed pawns",
            Self::Knights => "knights",
            Self::Bishops => "bishops",
            Self::Rooks => "rooks",
            Self::Queens => "queens",
            Self::Mobility => "mobility",
            Self::KingSafety => "king safety",
            Self::Threats => "threats",
            Self::Space => "space",
            Self::Tempo => "tempo",
            Self::Complexity => "complexity",
        }
    }
}

/// How the counts of a term become a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Count times weight.
    Linear,
    /// Count times weight, summed per side with the other dangers and then bent; see [`crate::king`].
    Danger,
    /// Count times weight (the end-game half alone), added to the side that is ahead.
    Complexity,
    /// The end-game half alone: the share, in 128ths, of the end-game value that is kept; see [`crate::ending`].
    Scale,
}

macro_rules! terms {
    ($($(#[$meta:meta])* $name:ident: $group:ident, $kind:ident, $length:literal;)+) => {
        /// A family of weights that are counted by the same rule.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Term {
            $($(#[$meta])* $name,)+
        }

        impl Term {
            pub(crate) const ALL: [Self; [$($length),+].len()] = [$(Self::$name),+];

            const LENGTHS: [usize; Self::ALL.len()] = [$($length),+];

            /// How many weights the family has.
            pub(crate) const fn length(self) -> usize {
                Self::LENGTHS[self as usize]
            }

            pub(crate) const fn group(self) -> Group {
                match self {
                    $(Self::$name => Group::$group,)+
                }
            }

            pub(crate) const fn kind(self) -> Kind {
                match self {
                    $(Self::$name => Kind::$kind,)+
                }
            }

            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)+
                }
            }
        }
    };
}

terms! {
    /// By kind of piece, pawn to queen, then the pair of bishops.
    Material: Material, Linear, 6;
    /// Products of the own counts, as [`crate::material`] numbers them.
    Together: Material, Linear, 21;
    /// Products of own and enemy counts.
    Against: Material, Linear, 21;
    /// By wings (own king's wing first), kind and square; see [`crate::survey::Wings`].
    PieceSquare: Squares, Linear, 768;

    /// No own pawn on a neighbouring file: by enemy pawn ahead or not, and distance from the edge.
    Isolated: Pawns, Linear, 8;
    /// Another own pawn ahead on the file: by supported or not, and distance from the edge.
    Doubled: Pawns, Linear, 8;
    /// Cannot be supported and cannot safely advance: by enemy pawn ahead or not, and rank.
    Backward: Pawns, Linear, 16;
    /// Beside another pawn, by rank.
    Phalanx: Pawns, Linear, 8;
    /// Supported by another pawn, by rank.
    Supported: Pawns, Linear, 8;
    /// Head to head with an enemy pawn, by rank.
    Rammed: Pawns, Linear, 8;
    /// Can take an enemy pawn, by rank.
    Lever: Pawns, Linear, 8;
    /// Squares of the own half, off the first two ranks, that no own pawn can ever guard.
    Holes: Pawns, Linear, 1;
    /// Attacked by two enemy pawns and not supported.
    Overrun: Pawns, Linear, 1;

    /// Could become passed: by support at hand or not, and rank.
    Candidate: PassedPawns, Linear, 16;
    /// By rank.
    Passed: PassedPawns, Linear, 8;
    /// By distance from the edge.
    PassedFile: PassedPawns, Linear, 4;
    /// Supported by or beside another pawn, by rank.
    PassedConnected: PassedPawns, Linear, 8;
    /// By rank, and the own king's distance to the square ahead.
    PassedOwnKing: PassedPawns, Linear, 64;
    /// By rank, and the enemy king's distance to the square ahead.
    PassedEnemyKing: PassedPawns, Linear, 64;
    /// What waits on the square ahead (nothing, attack, piece, both), and rank.
    PassedAhead: PassedPawns, Linear, 32;
    /// No attacked and no occupied square on the way to promotion, by rank.
    PassedFreePath: PassedPawns, Linear, 8;
    /// A rook behind: own, enemy.
    PassedRookBehind: PassedPawns, Linear, 2;
    /// The enemy has no pieces and its king comes too late.
    PassedUnstoppable: PassedPawns, Linear, 1;

    /// On a square no enemy pawn can attack: by supported or not, near the centre or not.
    KnightOutpost: Knights, Linear, 4;
    /// Reaches such a square in one move.
    KnightReachesOutpost: Knights, Linear, 1;
    /// Sheltered by a pawn ahead.
    KnightBehindPawn: Knights, Linear, 1;
    /// By distance to the own king.
    KnightKingDistance: Knights, Linear, 8;
    /// By number of pawns head to head, none to four pairs.
    KnightRams: Knights, Linear, 5;

    /// As for knights.
    BishopOutpost: Bishops, Linear, 4;
    /// Sheltered by a pawn ahead.
    BishopBehindPawn: Bishops, Linear, 1;
    /// By distance to the own king.
    BishopKingDistance: Bishops, Linear, 8;
    /// Own pawns on its color, by how many of the own centre pawns are blocked.
    BishopPawns: Bishops, Linear, 4;
    /// Enemy pawns on its lines.
    BishopXRayPawns: Bishops, Linear, 1;
    /// Sees both centre squares of a long diagonal.
    BishopLongDiagonal: Bishops, Linear, 1;

    /// No pawn on the file, then no own pawn, then an own pawn that is blocked.
    RookFile: Rooks, Linear, 3;
    /// On the seventh rank with king or pawns to bother.
    RookSeventh: Rooks, Linear, 1;
    /// Shut in by its own king: by castling still possible or not.
    RookTrapped: Rooks, Linear, 2;
    /// By number of pawns head to head, none to four pairs.
    RookRams: Rooks, Linear, 5;
    /// On the file of the enemy queen.
    RookQueenFile: Rooks, Linear, 1;

    /// A slider looks at her through one piece.
    QueenPinned: Queens, Linear, 1;
    /// By distance to the enemy king.
    QueenKingDistance: Queens, Linear, 8;

    KnightMobility: Mobility, Linear, 9;
    BishopMobility: Mobility, Linear, 14;
    RookMobility: Mobility, Linear, 15;
    QueenMobility: Mobility, Linear, 28;

    /// Own pawn before the king: by file of the king or beside it, distance from the edge, ranks ahead (none is 7).
    Shelter: KingSafety, Linear, 64;
    /// Enemy pawn before the king: by blocked or not, distance from the edge, ranks ahead (none is 7).
    Storm: KingSafety, Linear, 64;
    /// Rights to castle: none, one, both.
    CastlingRights: KingSafety, Linear, 3;
    /// Squares the king can go to.
    KingMobility: KingSafety, Linear, 9;
    /// No pawn at all on the king's wing.
    BareWing: KingSafety, Linear, 1;
    /// Own pieces (without pawns) near the king.
    KingDefenders: KingSafety, Linear, 8;
    /// The enemy's attacks on the three files around the king, by number, own half alone.
    FlankAttacks: KingSafety, Linear, 1;
    /// The own defences there.
    FlankDefences: KingSafety, Linear, 1;

    /// What every king has to fear.
    DangerAlways: KingSafety, Danger, 1;
    /// Attackers of the king's zone, by kind, knight to queen.
    DangerAttacker: KingSafety, Danger, 4;
    /// Attacks on squares beside the king.
    DangerAttacks: KingSafety, Danger, 1;
    /// Squares of the zone attacked and defended by king or queen alone.
    DangerWeak: KingSafety, Danger, 1;
    /// Safe checks, by kind, knight to queen: one square, several.
    DangerSafeCheck: KingSafety, Danger, 8;
    /// Checks that cost the piece.
    DangerUnsafeCheck: KingSafety, Danger, 1;
    /// Pieces pinned to the king, of either side.
    DangerPinned: KingSafety, Danger, 1;
    /// The attacker has no queen.
    DangerNoQueen: KingSafety, Danger, 1;
    /// A knight of the defender guards the king.
    DangerKnightGuard: KingSafety, Danger, 1;
    /// Attacks on the king's three files, of the defender's half.
    DangerFlankAttacks: KingSafety, Danger, 1;
    /// The defender's cover there.
    DangerFlankDefences: KingSafety, Danger, 1;
    /// Squares the king can flee to.
    DangerFlight: KingSafety, Danger, 9;
    /// Holes in the pawn shelter: files around the king without an own pawn.
    DangerOpenFiles: KingSafety, Danger, 4;
    /// Enemy pawns that attack squares beside the king.
    DangerPawnContact: KingSafety, Danger, 1;

    /// A pawn that is not in danger attacks, by whose turn it is (the threatened side's first) and kind, knight to queen.
    ThreatByPawn: Threats, Linear, 8;
    /// A pawn could attack a piece by a safe step, by turn.
    ThreatByPawnPush: Threats, Linear, 2;
    /// A minor piece attacks, by turn and kind, pawn to queen.
    ThreatByMinor: Threats, Linear, 10;
    /// A rook attacks, by turn and kind.
    ThreatByRook: Threats, Linear, 10;
    /// A queen attacks something weak, by turn and kind.
    ThreatByQueen: Threats, Linear, 10;
    /// The king attacks something weak, by turn.
    ThreatByKing: Threats, Linear, 2;
    /// Attacked and not defended, by turn, pawns then pieces.
    Hanging: Threats, Linear, 4;
    /// An own piece that no own piece or pawn defends, by kind, pawn to queen.
    Loose: Threats, Linear, 5;
    /// An own piece that an own pawn defends, by kind, knight to queen.
    PawnDefends: Threats, Linear, 4;
    /// Defended by the queen alone.
    QueenDefends: Threats, Linear, 1;
    /// A square the enemy reaches and we guard.
    Restricted: Threats, Linear, 1;
    /// A safe square from which a knight, bishop or rook would attack the queen.
    QueenHarassed: Threats, Linear, 3;

    /// Safe squares in the centre of the own camp, weighted by how many pieces want room.
    SpaceSquares: Space, Linear, 1;

    /// The side to move.
    ToMove: Tempo, Linear, 1;

    /// Every position.
    ComplexityAlways: Complexity, Complexity, 1;
    /// All pawns.
    ComplexityPawns: Complexity, Complexity, 1;
    /// Pawns on both wings.
    ComplexityBothWings: Complexity, Complexity, 1;
    /// Nothing but pawns.
    ComplexityPawnEnding: Complexity, Complexity, 1;
    /// A king beyond the middle.
    ComplexityInfiltration: Complexity, Complexity, 1;
    /// Passed pawns.
    ComplexityPassed: Complexity, Complexity, 1;

    /// The stronger side's pawns, none to eight.
    ScalePawns: Complexity, Scale, 9;
    /// Bishops of opposite colors and nothing else: by passed pawns of the stronger side, none to three.
    ScaleOppositeBishops: Complexity, Scale, 4;
    /// Bishops of opposite colors with other pieces: by the stronger side's number of pieces.
    ScaleOppositeBishopsMore: Complexity, Scale, 8;
    /// A rook each and nothing but pawns: by difference of pawns, none to three.
    ScaleRookEnding: Complexity, Scale, 4;
    /// Queen against pieces without queen.
    ScaleQueenAgainstPieces: Complexity, Scale, 1;
}

/// How many weights there are.
pub(crate) const WEIGHT_COUNT: usize = Term::ALL[Term::ALL.len() - 1].end();

impl Term {
    const FIRST: [usize; Self::ALL.len()] = {
        let mut first = [0; Self::ALL.len()];
        let mut term = 1;
        while term < first.len() {
            first[term] = first[term - 1] + Self::LENGTHS[term - 1];
            term += 1;
        }
        first
    };

    /// The index of the family's first weight.
    #[inline(always)]
    pub(crate) const fn first(self) -> usize {
        Self::FIRST[self as usize]
    }

    /// One past the index of the family's last weight.
    pub(crate) const fn end(self) -> usize {
        self.first() + self.length()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_follow_each_other_without_gaps() {
        let mut next = 0;
        for term in Term::ALL {
            assert_eq!(term.first(), next, "{}", term.name());
            next = term.end();
        }
        assert_eq!(next, WEIGHT_COUNT);
        assert_eq!(Group::ALL.map(|group| group as usize), std::array::from_fn(|index| index));
    }
}
