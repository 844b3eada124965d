//! Gathers the facts about a move, one search after the other.

use kiebitz_chess::{Color, GameHistory, Move, Position, Score};
use kiebitz_messages::{ComparedMove, Evidence, LineMove, MoveExplanation, ScoreView};
use kiebitz_search::{SearchLimits, SearchSignal, WinningChances};

use super::{contribution, material, sentence};
use crate::{Desk, SearchedLine, line_moves, shown_move};

/// Nodes for the first look at a position, with two lines.
const FIRST_NODES: u64 = 240_000;
/// Nodes for each further question.
const FURTHER_NODES: u64 = 80_000;
/// Alternatives that are searched, and those that are told.
const ALTERNATIVES: usize = 4;
const TOLD_ALTERNATIVES: usize = 3;
/// A threat gains at least so many centipawns, and mates or wins something within so many plies: a better position alone is none.
const THREAT: i32 = 100;
const THREAT_PLIES: usize = 7;
/// Expected points that make an alternative worse, and a move worse than the best.
const WORSE: f64 = 0.05;
const NOT_BEST: f64 = 0.02;
/// Plies of a line that are told.
const SHOWN_PLIES: usize = 12;

/// A move and what a search says about it.
#[derive(Clone)]
struct Judged {
    mv: Move,
    line: SearchedLine,
    depth: u32,
}

/// What is to be done next.
enum Step {
    Choose,
    Played,
    Alternative(Move, &'static str),
    Threat,
    Averted,
    Contribution,
}

/// A reason in the making.
pub struct Explainer {
    history: GameHistory,
    asked: Option<Move>,
    best: Option<Judged>,
    played: Option<Judged>,
    steps: std::collections::VecDeque<Step>,
    facts: Vec<Evidence>,
    refutations: usize,
    nodes: u64,
}

impl Explainer {
    /// Why `played`, in the last position of a game; the best move if none is given. The move must be legal.
    #[must_use]
    pub fn new(history: GameHistory, played: Option<Move>) -> Self {
        let steps = if history.position().has_legal_moves() { vec![Step::Choose] } else { Vec::new() };
        Self {
            history,
            asked: played,
            best: None,
            played: None,
            steps: steps.into(),
            facts: Vec::new(),
            refutations: 0,
            nodes: 0,
        }
    }

    /// Takes one step, which is one search at most; false when there is nothing left to do.
    pub fn advance(&mut self, desk: &mut Desk, signal: &SearchSignal) -> bool {
        let Some(step) = self.steps.pop_front() else { return false };
        match step {
            Step::Choose => self.choose(desk, signal),
            Step::Played => self.look_at_played(desk, signal),
            Step::Alternative(mv, why) => self.look_at_alternative(desk, signal, mv, why),
            Step::Threat => self.look_at_threat(desk, signal),
            Step::Averted => self.look_at_averted(desk, signal),
            Step::Contribution => {
                if let Some(played) = &self.played {
                    let found = contribution::changes(self.history.position(), played.mv, desk.mind());
                    self.facts.extend(found);
                }
            }
        }
        !self.steps.is_empty()
    }

    /// The sentences, the most important first; `None` if the game is over.
    #[must_use]
    pub fn finish(mut self) -> Option<MoveExplanation> {
        let position = self.history.position().clone();
        let played = self.played.as_ref()?;
        let shown = shown_move(&position, played.mv);
        self.facts.sort_by_key(importance);
        let sentences =
            self.facts.into_iter().map(|fact| sentence::of(&shown, position.side_to_move(), fact)).collect();
        Some(MoveExplanation { fen: position.to_string(), played: shown, sentences, nodes: self.nodes })
    }

    fn look(
        &mut self,
        desk: &mut Desk,
        signal: &SearchSignal,
        history: &GameHistory,
        limits: &SearchLimits,
    ) -> (Vec<SearchedLine>, u32) {
        let searched = desk.look(history, limits, signal);
        self.nodes += searched.nodes;
        (searched.lines, searched.depth)
    }

    /// The best move and the second one.
    fn choose(&mut self, desk: &mut Desk, signal: &SearchSignal) {
        let limits = SearchLimits { lines: 2, ..SearchLimits::nodes(FIRST_NODES) };
        let history = self.history.clone();
        let (lines, depth) = self.look(desk, signal, &history, &limits);
        let judged = |line: &SearchedLine| Some(Judged { mv: *line.moves.first()?, line: line.clone(), depth });
        let mut lines = lines.iter().filter_map(judged);
        self.best = lines.next();
        let second = lines.next();
        let known = [&self.best, &second].into_iter().flatten().find(|judged| Some(judged.mv) == self.asked).cloned();
        match self.asked {
            None => self.played = self.best.clone(),
            Some(_) if known.is_some() => self.played = known,
            Some(_) => {
                self.steps.push_back(Step::Played);
                return;
            }
        }
        self.plan(second.map(|second| second.mv));
    }

    fn look_at_played(&mut self, desk: &mut Desk, signal: &SearchSignal) {
        if let Some(asked) = self.asked {
            self.played = self.look_at_move(desk, signal, asked);
            self.plan(None);
        }
    }

    fn look_at_move(&mut self, desk: &mut Desk, signal: &SearchSignal, mv: Move) -> Option<Judged> {
        let limits = SearchLimits { moves: vec![mv], ..SearchLimits::nodes(FURTHER_NODES) };
        let history = self.history.clone();
        let (lines, depth) = self.look(desk, signal, &history, &limits);
        lines.into_iter().next().map(|line| Judged { mv, line, depth })
    }

    /// What the played move itself says, and what is to be asked about it.
    fn plan(&mut self, second: Option<Move>) {
        let Some(played) = self.played.clone() else { return };
        let position = self.history.position().clone();
        let mut after = self.history.clone();
        after.play(played.mv);
        if position.legal_moves().len() == 1 {
            self.facts.push(Evidence::OnlyMove { played: shown_move(&position, played.mv) });
        }
        if let Some(ending) = after.position().ending() {
            self.facts.push(Evidence::GameOver { ending: ending.to_string() });
            return;
        }
        let searched = self.compared(&played);
        match played.line.score.mate_moves() {
            Some(moves) => self.facts.push(Evidence::Mate { moves, line: searched.line.clone() }),
            None => {
                self.facts.push(Evidence::MainLine { searched: searched.clone() });
                self.facts.extend(material::along(&self.history, &played.line.moves));
            }
        }
        if let Some(best) = self.best.clone().filter(|best| best.mv != played.mv) {
            let loss = points(best.line.score) - points(played.line.score);
            if loss >= NOT_BEST {
                let best = self.compared(&best);
                self.facts.push(Evidence::Better { best, searched, loss_permille: permille(loss) });
            }
        }
        if !after.position().is_check() {
            self.steps.push_back(Step::Threat);
        }
        if !position.is_check() {
            self.steps.push_back(Step::Averted);
        }
        let others = natural(&self.history, played.mv, second);
        self.steps.extend(others.into_iter().take(ALTERNATIVES).map(|(mv, why)| Step::Alternative(mv, why)));
        self.steps.push_back(Step::Contribution);
    }

    fn look_at_alternative(&mut self, desk: &mut Desk, signal: &SearchSignal, mv: Move, why: &'static str) {
        let Some(played) = self.played.clone() else { return };
        if self.refutations == TOLD_ALTERNATIVES {
            return;
        }
        let Some(alternative) = self.look_at_move(desk, signal, mv) else { return };
        let loss = points(played.line.score) - points(alternative.line.score);
        if loss >= WORSE {
            self.refutations += 1;
            self.facts.push(Evidence::Refutation {
                alternative: self.compared(&alternative),
                searched: self.compared(&played),
                why_natural: why.to_owned(),
                loss_permille: permille(loss),
            });
        }
    }

    /// What the mover would do if the opponent passed.
    fn look_at_threat(&mut self, desk: &mut Desk, signal: &SearchSignal) {
        let Some(played) = self.played.clone() else { return };
        let passed = passed(&self.history.position().after(played.mv));
        let (lines, _) = self.look(desk, signal, &passed, &SearchLimits::nodes(FURTHER_NODES));
        let Some(best) = lines.first() else { return };
        let mate = best.score.mate_moves().filter(|&moves| moves > 0);
        // A move that loses something does not threaten to keep it: the gain counts from what the position was worth before, too.
        let had = self.best.as_ref().map_or(played.line.score, |best| best.line.score).max(played.line.score);
        let gain = best.score.value() - had.value();
        // Whoever mates anyway threatens nothing more.
        if had.mate_moves().is_some_and(|moves| moves > 0) || played.line.score.is_mate() || gain < THREAT {
            return;
        }
        let Some((won, given)) = stake(&passed, best, mate) else { return };
        let line = shown(passed.position(), best);
        self.facts.push(Evidence::Threat { line, gain_centipawns: gain, mate, won, given });
    }

    /// What the opponent would do if the mover passed, and cannot do now.
    fn look_at_averted(&mut self, desk: &mut Desk, signal: &SearchSignal) {
        let Some(played) = self.played.clone() else { return };
        let position = self.history.position().clone();
        let passed = passed(&position);
        let (lines, _) = self.look(desk, signal, &passed, &SearchLimits::nodes(FURTHER_NODES));
        let Some(best) = lines.first() else { return };
        let white = desk.mind().white_value(&position);
        let balance = if position.side_to_move() == Color::White { -white } else { white };
        let mate = best.score.mate_moves().filter(|&moves| moves > 0);
        // The opponent gains over what stands on the board, and over what the move leaves.
        let gain = best.score.value() - balance;
        let stopped = best.score.value() + played.line.score.value();
        if gain < THREAT || stopped < THREAT || played.line.score.mate_moves().is_some_and(|moves| moves < 0) {
            return;
        }
        let Some((won, given)) = stake(&passed, best, mate) else { return };
        let line = shown(passed.position(), best);
        self.facts.push(Evidence::Averted { line, gain_centipawns: gain, mate, won, given });
    }

    fn compared(&self, judged: &Judged) -> ComparedMove {
        let position = self.history.position();
        ComparedMove {
            played: shown_move(position, judged.mv),
            score: ScoreView::of(judged.line.score, position.side_to_move()),
            line: shown(position, &judged.line),
            depth: judged.depth,
        }
    }
}

/// Explains a move in one go.
pub fn explain_move(
    desk: &mut Desk,
    history: &GameHistory,
    played: Option<Move>,
    signal: &SearchSignal,
) -> Option<MoveExplanation> {
    let mut explainer = Explainer::new(history.clone(), played);
    while !signal.is_stopped() && explainer.advance(desk, signal) {}
    explainer.finish()
}

fn shown(position: &Position, line: &SearchedLine) -> Vec<LineMove> {
    line_moves(position, &line.moves[..line.moves.len().min(SHOWN_PLIES)])
}

/// What a threat is about: nothing but mate, or the pieces that would be won soon and those given for them.
fn stake(passed: &GameHistory, threat: &SearchedLine, mate: Option<i32>) -> Option<(Vec<String>, Vec<String>)> {
    if mate.is_some() {
        return Some((Vec::new(), Vec::new()));
    }
    material::won(passed, &threat.moves[..threat.moves.len().min(THREAT_PLIES)])
}

/// A game that begins after the side to move has passed.
fn passed(position: &Position) -> GameHistory {
    let mut next = position.clone();
    next.play_null();
    GameHistory::new(next)
}

fn points(score: Score) -> f64 {
    WinningChances::CONVENTIONAL.expected_points(score)
}

fn permille(points: f64) -> u32 {
    (1000.0 * points).round().clamp(0.0, 1000.0) as u32
}

/// The order in which facts are told.
fn importance(fact: &Evidence) -> u32 {
    match fact {
        Evidence::GameOver { .. } => 0,
        Evidence::OnlyMove { .. } => 1,
        Evidence::Mate { .. } => 2,
        Evidence::Better { .. } => 3,
        Evidence::MainLine { .. } => 4,
        Evidence::Material { .. } => 5,
        Evidence::Threat { .. } => 6,
        Evidence::Averted { .. } => 7,
        Evidence::Refutation { .. } => 8,
        Evidence::Contribution { .. } => 9,
    }
}

/// Moves that a person would think of first, and why, without the played one.
fn natural(history: &GameHistory, played: Move, second: Option<Move>) -> Vec<(Move, &'static str)> {
    let position = history.position();
    let last_capture = history.past().last().filter(|(_, mv)| mv.is_capture()).map(|(_, mv)| mv.to());
    let mut captures: Vec<(Move, &'static str)> = Vec::new();
    let mut others: Vec<(Move, &'static str)> = Vec::new();
    for mv in &position.legal_moves() {
        if mv.is_capture() {
            let why = if Some(mv.to()) == last_capture { "takes back" } else { "takes" };
            captures.push((mv, why));
        } else if mv.castling().is_some() {
            others.push((mv, "castles"));
        } else if position.after(mv).is_check() {
            others.push((mv, "gives check"));
        }
    }
    // The most valuable victim first: that is the capture that catches the eye.
    let value = |mv: Move| material::taken(position, mv).map_or(0, |kind| kind as usize);
    captures.sort_by_key(|&(mv, why)| (why != "takes back", std::cmp::Reverse(value(mv))));
    captures.truncate(2);
    others.truncate(2);
    let mut all = captures;
    all.extend(second.map(|mv| (mv, "second choice")));
    all.extend(others);
    let mut seen = vec![played];
    all.retain(|&(mv, _)| {
        let fresh = !seen.contains(&mv);
        seen.push(mv);
        fresh
    });
    all
}
