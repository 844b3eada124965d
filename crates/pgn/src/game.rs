//! A whole game in memory: tags, moves with variations, comments.
//!
//! The moves are a tree in an arena. A node is a move; its first child is how the game went on, further children are
//! variations. Nothing here recurses, so depth is a matter of memory and not of the stack.

use std::fmt;

use kiebitz_chess::{Move, Outcome, Position};

use crate::comment::Comment;
use crate::marker;
use crate::nag::Nag;
use crate::tags::Tags;

mod builder;
pub(crate) use builder::GameBuilder;

/// Names a move of a [`Game`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The start of the game, before any move.
    pub const ROOT: Self = Self(0);

    const NONE: Self = Self(u32::MAX);

    fn some(self) -> Option<Self> {
        (self != Self::NONE).then_some(self)
    }
}

/// A move in the tree, 32 bytes: most moves have no annotations.
#[derive(Clone, Debug)]
struct Node {
    mv: Move,
    parent: NodeId,
    first_child: NodeId,
    last_child: NodeId,
    next_sibling: NodeId,
    notes: Option<Box<Notes>>,
}

/// What is said about a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Notes {
    nags: Vec<Nag>,
    /// Comments between the parenthesis and the first move of a variation.
    introduction: Vec<Comment>,
    comments: Vec<Comment>,
}

impl Node {
    const fn new(mv: Move, parent: NodeId) -> Self {
        let none = NodeId::NONE;
        Self { mv, parent, first_child: none, last_child: none, next_sibling: none, notes: None }
    }
}

/// A game: tags, start, moves with variations and comments, outcome.
///
/// **Invariants:** every move is legal where it stands; [`Move::NULL`] stands for `--`, a side that passes while not in
/// check, as analysts write. The tags hold the seven tag roster and agree with start and outcome. Together they make
/// the law `read(write(game)) == game` hold.
#[derive(Clone)]
pub struct Game {
    tags: Tags,
    start: Position,
    /// `None` stands for `*`: unfinished, abandoned, or not known.
    outcome: Option<Outcome>,
    nodes: Vec<Node>,
}

/// The tags that say what start and outcome say, and so are not set by hand.
const DERIVED_TAGS: [&str; 4] = ["Result", "FEN", "SetUp", "Variant"];

impl Default for Game {
    fn default() -> Self {
        Self::new(Position::default())
    }
}

impl Game {
    /// A game without moves.
    #[must_use]
    pub fn new(start: Position) -> Self {
        Self::from_tags(Tags::new(), start, None)
    }

    /// A game without moves whose other tags are `tags`.
    pub(crate) fn from_tags(mut tags: Tags, start: Position, outcome: Option<Outcome>) -> Self {
        tags.set("Result", &marker::write(outcome));
        tags.remove("FEN");
        tags.remove("SetUp");
        if start != Position::default() {
            tags.set("FEN", &start.to_string());
            tags.set("SetUp", "1");
        }
        if start.is_chess960() && tags.get("Variant").is_none_or(|variant| !crate::variant::is_chess960(variant)) {
            tags.set("Variant", "Chess960");
        }
        let root = Node::new(Move::NULL, NodeId::NONE);
        Self { tags: tags.into_export_order(), start, outcome, nodes: vec![root] }
    }

    /// The tags, the seven tag roster first.
    #[must_use]
    pub const fn tags(&self) -> &Tags {
        &self.tags
    }

    /// Sets a tag. Returns `false`, and does nothing, for names that PGN cannot write and for those that say what
    /// start and outcome say: `Result`, `FEN`, `SetUp` and `Variant`.
    pub fn set_tag(&mut self, name: &str, value: &str) -> bool {
        if DERIVED_TAGS.iter().any(|derived| derived.eq_ignore_ascii_case(name)) || !self.tags.set(name, value) {
            return false;
        }
        self.tags = std::mem::take(&mut self.tags).into_export_order();
        true
    }

    /// Where the game begins.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// How the game ended; `None` if it did not, or nobody knows.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Says how the game ended.
    pub fn set_outcome(&mut self, outcome: Option<Outcome>) {
        self.outcome = outcome;
        self.tags.set("Result", &marker::write(outcome));
    }

    /// How many moves the tree holds, variations included.
    #[must_use]
    pub fn move_count(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Adds a move after another: the way the game goes on if it is the first there, else a variation.
    ///
    /// Returns `None` if the move is not legal there. [`Move::NULL`] passes, unless in check.
    pub fn add(&mut self, parent: NodeId, mv: Move) -> Option<NodeId> {
        let position = self.position(parent);
        let legal = if mv == Move::NULL { !position.is_check() } else { position.is_legal(mv) };
        legal.then(|| self.push(parent, mv))
    }

    /// Adds a move that is known to be legal.
    fn push(&mut self, parent: NodeId, mv: Move) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node::new(mv, parent));
        let parent = &mut self.nodes[parent.0 as usize];
        let previous = std::mem::replace(&mut parent.last_child, id);
        match previous.some() {
            None => parent.first_child = id,
            Some(previous) => self.nodes[previous.0 as usize].next_sibling = id,
        }
        id
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The move of a node; [`Move::NULL`] for the start and for a side that passes.
    #[must_use]
    pub fn move_at(&self, id: NodeId) -> Move {
        self.node(id).mv
    }

    /// The move before; `None` for the start.
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent.some()
    }

    /// The move with which the line goes on.
    #[must_use]
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).first_child.some()
    }

    /// The moves after a move: how the line goes on, then the variations.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.next(id), |&child| self.node(child).next_sibling.some())
    }

    /// The moves as they were played.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.next(NodeId::ROOT), |&id| self.next(id))
    }

    /// The position after a move.
    #[must_use]
    pub fn position(&self, id: NodeId) -> Position {
        let mut path: Vec<NodeId> = std::iter::successors(Some(id), |&id| self.parent(id)).collect();
        path.pop();
        let mut position = self.start.clone();
        for id in path.into_iter().rev() {
            play(&mut position, self.move_at(id));
        }
        position
    }

    /// The glyphs of a move.
    #[must_use]
    pub fn nags(&self, id: NodeId) -> &[Nag] {
        self.node(id).notes.as_ref().map_or(&[], |notes| &notes.nags)
    }

    /// The comments after a move, or before the first move of the game.
    #[must_use]
    pub fn comments(&self, id: NodeId) -> &[Comment] {
        self.node(id).notes.as_ref().map_or(&[], |notes| &notes.comments)
    }

    /// The comments before the first move of a variation.
    #[must_use]
    pub fn introduction(&self, id: NodeId) -> &[Comment] {
        self.node(id).notes.as_ref().map_or(&[], |notes| &notes.introduction)
    }

    /// Adds a glyph to a move. The start has none: returns `false` there.
    pub fn add_nag(&mut self, id: NodeId, nag: Nag) -> bool {
        if id != NodeId::ROOT {
            self.notes(id).nags.push(nag);
        }
        id != NodeId::ROOT
    }

    /// Adds a comment after a move, or before the first move of the game. An empty one is left out.
    pub fn add_comment(&mut self, id: NodeId, comment: Comment) {
        if !comment.is_empty() {
            self.notes(id).comments.push(comment);
        }
    }

    /// Adds a comment before the first move of a variation. Returns `false` where no variation begins.
    pub fn add_introduction(&mut self, id: NodeId, comment: Comment) -> bool {
        let begins_variation = self.parent(id).is_some_and(|parent| self.next(parent) != Some(id));
        if begins_variation && !comment.is_empty() {
            self.notes(id).introduction.push(comment);
        }
        begins_variation
    }

    fn notes(&mut self, id: NodeId) -> &mut Notes {
        self.nodes[id.0 as usize].notes.get_or_insert_default()
    }
}

/// Plays a move of a tree, where [`Move::NULL`] passes.
pub(crate) fn play(position: &mut Position, mv: Move) {
    if mv == Move::NULL {
        position.play_null();
    } else {
        position.play(mv);
    }
}

impl PartialEq for Game {
    /// Compares the trees, not the order in which they were built.
    fn eq(&self, other: &Self) -> bool {
        if self.tags != other.tags || self.start != other.start || self.outcome != other.outcome {
            return false;
        }
        let mut pairs = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((own, its)) = pairs.pop() {
            let (node, twin) = (self.node(own), other.node(its));
            let children = self.children(own).count();
            if node.mv != twin.mv || node.notes != twin.notes || children != other.children(its).count() {
                return false;
            }
            pairs.extend(self.children(own).zip(other.children(its)));
        }
        true
    }
}

impl Eq for Game {}

impl fmt::Debug for Game {
    /// The PGN: what a failing test should show.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
