//! Requests as tasks that are worked off piece by piece, so that searches can share engines and be stopped.

use std::time::Duration;

use kiebitz_chess::{Color, GameHistory, Move, Score};
use kiebitz_engine::ELO_RANGE;
use kiebitz_messages::{Event, Fault, FaultCode, Request, ScoreView, SearchedValue, Side};
use kiebitz_search::{SearchLimits, SearchSignal};

use crate::analysis::Analysis;
use crate::review::{Judgement, Reviewer, review_message, reviewed_move};
use crate::thought::{Allowance, answer_draw, think};
use crate::why::Explainer;
use crate::{Desk, Mind, Setup, inspect, line_moves, read_line};

const USUAL_THOUGHT: Duration = Duration::from_secs(1);
/// The largest search beside an inspection.
const MOST_INSPECTION_NODES: u32 = 2_000_000;
/// The table of everything but analyses, in mebibytes.
const SMALL_HASH: u32 = 16;

/// What a client may ask for.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Threads of an analysis.
    pub threads: u32,
    /// Table of an analysis, in mebibytes.
    pub hash_mebibytes: u32,
    /// Lines of an analysis.
    pub lines: u32,
    /// Nodes for each move of a review.
    pub review_nodes: u64,
}

/// Whether a task has more to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// It wants another turn.
    More,
    /// It has said its last event.
    Done,
}

/// A request that needs an engine.
pub struct Task {
    id: u32,
    setup: Setup,
    work: Work,
}

enum Work {
    Analyse(Box<Analysis>),
    Think(Box<GameHistory>, Allowance),
    OfferDraw(Box<GameHistory>, Color),
    Inspect(Box<GameHistory>, u32),
    Why(Box<Explainer>),
    Review(Box<ReviewWork>),
}

struct ReviewWork {
    reviewer: Option<Reviewer>,
    start: GameHistory,
    start_score: Score,
    total: usize,
    nodes: u64,
    pgn: Option<String>,
}

impl Task {
    /// Makes a task of a request that needs an engine; the other requests give `None`.
    ///
    /// # Errors
    /// Says which field is wrong.
    pub fn new(request: &Request, mind: Mind, limits: &Limits) -> Result<Option<Self>, Fault> {
        let mut setup = Setup { mind, threads: 1, hash_mebibytes: SMALL_HASH, elo: None };
        let work = match request {
            Request::Analyse { id, line, lines, threads, hash_mebibytes, limit, .. } => {
                within("lines", u64::from(*lines), 1, limits.lines.into())?;
                within("threads", u64::from(*threads), 1, limits.threads.into())?;
                within("hash_mebibytes", u64::from(*hash_mebibytes), 1, limits.hash_mebibytes.into())?;
                (setup.threads, setup.hash_mebibytes) = (*threads, *hash_mebibytes);
                Work::Analyse(Box::new(Analysis::new(*id, read_line(line)?, *lines as usize, *limit)))
            }
            Request::Think { line, elo, clock, time_ms, .. } => {
                if let Some(elo) = elo {
                    let bound = |elo: &i64| u64::try_from(*elo).unwrap_or_default();
                    within("elo", u64::from(*elo), bound(ELO_RANGE.start()), bound(ELO_RANGE.end()))?;
                }
                setup.elo = *elo;
                let time = time_ms.map_or(USUAL_THOUGHT, |ms| Duration::from_millis(ms.into()));
                let allowance = clock.map_or(Allowance::Time(time), Allowance::Clock);
                Work::Think(Box::new(read_line(line)?), allowance)
            }
            Request::OfferDraw { line, opponent_side, .. } => {
                let player = if *opponent_side == Side::White { Color::White } else { Color::Black };
                Work::OfferDraw(Box::new(read_line(line)?), player)
            }
            Request::Inspect { line, search_nodes, .. } => {
                within("search_nodes", u64::from(*search_nodes), 0, MOST_INSPECTION_NODES.into())?;
                Work::Inspect(Box::new(read_line(line)?), *search_nodes)
            }
            Request::Why { line, played, .. } => {
                let history = read_line(line)?;
                let played = played.as_deref().map(|text| legal_move(&history, text)).transpose()?;
                if !history.position().has_legal_moves() {
                    return Err(Fault::new(FaultCode::Chess, "The game is over: there is no move.").at("line"));
                }
                Work::Why(Box::new(Explainer::new(history, played)))
            }
            Request::Review { line, nodes, pgn, .. } => {
                within("nodes", *nodes, 1, limits.review_nodes)?;
                Work::Review(Box::new(ReviewWork::new(&read_line(line)?, *nodes, pgn.clone())?))
            }
            _ => return Ok(None),
        };
        Ok(Some(Self { id: request.id(), setup, work }))
    }

    /// The number of the request.
    #[must_use]
    pub const fn id(&self) -> u32 {
        self.id
    }

    /// How the engine has to be set up.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Whether it goes on for long, so that short ones may go first.
    #[must_use]
    pub const fn is_long(&self) -> bool {
        matches!(self.work, Work::Analyse(_) | Work::Review(_))
    }

    /// Whether it is an analysis, of which a connection has one.
    #[must_use]
    pub const fn is_analysis(&self) -> bool {
        matches!(self.work, Work::Analyse(_))
    }

    /// Works for a while: an analysis until its limit, the signal or the end of the slice, everything else for one search.
    /// When the signal was given, what was found counts for nothing but an analysis.
    pub fn advance(
        &mut self,
        desk: &mut Desk,
        signal: &SearchSignal,
        slice: Option<Duration>,
        emit: &mut dyn FnMut(Event),
    ) -> Progress {
        let id = self.id;
        if let Err(error) = desk.prepare(&self.setup) {
            emit(Event::Fault { id: Some(id), fault: Fault::new(FaultCode::Value, format!("{error}.")) });
            return Progress::Done;
        }
        let event = match &mut self.work {
            Work::Analyse(analysis) => return analysis.advance(desk, signal, slice, emit),
            Work::Think(history, allowance) => think(id, desk, history, *allowance, signal),
            Work::OfferDraw(history, player) => answer_draw(id, desk, history, *player, signal),
            Work::Inspect(history, nodes) => {
                let searched = searched(desk, history, *nodes, signal);
                Event::Inspection { id, inspection: Box::new(inspect(history, &self.setup.mind, searched)) }
            }
            Work::Why(explainer) => {
                if explainer.advance(desk, signal) {
                    return Progress::More;
                }
                let done = std::mem::replace(explainer.as_mut(), Explainer::new(GameHistory::default(), None));
                match done.finish() {
                    Some(explanation) => Event::Explanation { id, explanation },
                    None => Event::Stopped { id },
                }
            }
            Work::Review(review) => match review.advance(id, desk, signal, emit) {
                Some(event) => event,
                None => return Progress::More,
            },
        };
        if !signal.is_stopped() {
            emit(event);
        }
        Progress::Done
    }
}

impl ReviewWork {
    fn new(history: &GameHistory, nodes: u64, pgn: Option<String>) -> Result<Self, Fault> {
        if history.moves().is_empty() {
            return Err(Fault::new(FaultCode::Chess, "The game has no moves to review.").at("line"));
        }
        Ok(Self {
            reviewer: Some(Reviewer::new(history.start().clone(), history.moves().to_vec())),
            start: GameHistory::new(history.start().clone()),
            start_score: Score::DRAW,
            total: history.moves().len(),
            nodes,
            pgn,
        })
    }

    /// Judges one position; gives the review when all are judged.
    fn advance(
        &mut self,
        id: u32,
        desk: &mut Desk,
        signal: &SearchSignal,
        emit: &mut dyn FnMut(Event),
    ) -> Option<Event> {
        let reviewer = self.reviewer.as_mut()?;
        let Some(history) = reviewer.position() else { return self.finish(id, desk.mind()) };
        let before = history.past().last().map(|(position, _)| position.clone());
        let judgement = reviewer.settled().unwrap_or_else(|| {
            let searched = desk.look(history, &SearchLimits::nodes(self.nodes), signal);
            let (score, line) =
                searched.best().map_or((Score::DRAW, Vec::new()), |best| (best.score, best.moves.clone()));
            Judgement { score, line, depth: Some(searched.depth) }
        });
        if signal.is_stopped() {
            return None;
        }
        if before.is_none() {
            self.start_score = judgement.score;
        }
        let ply = history.moves().len();
        let judged = reviewer.take(judgement).zip(before);
        let reviewed = judged.map(|(mv, before)| reviewed_move(ply.saturating_sub(1), &before, mv));
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        emit(Event::ReviewProgress { id, done: count(ply), total: count(self.total), reviewed });
        if reviewer.position().is_some() { None } else { self.finish(id, desk.mind()) }
    }

    fn finish(&mut self, id: u32, mind: &Mind) -> Option<Event> {
        let review = self.reviewer.take()?.finish();
        let judge = format!("{}, {} positions a move", mind.name(), self.nodes);
        let message = review_message(&review, self.start.position(), self.start_score, &judge);
        let annotated_pgn = self.annotated(&review, &judge);
        Some(Event::Review { id, review: kiebitz_messages::Review { annotated_pgn, ..message } })
    }

    /// The game with the review in it, if it is the game that was reviewed.
    #[cfg(not(target_arch = "wasm32"))]
    fn annotated(&self, review: &crate::review::GameReview, judge: &str) -> Option<String> {
        use kiebitz_pgn::{GameReader, Source};
        let pgn = self.pgn.as_ref()?;
        let game = GameReader::new(Source::from_reader("the game", pgn.as_bytes())).next()?.ok()?;
        let same = game.start() == self.start.position()
            && game.main_line().map(|id| game.move_at(id)).eq(review.moves.iter().map(|mv| mv.played));
        same.then(|| crate::review::annotated(&game, review, judge).to_string())
    }

    /// A browser has no PGN writer: the page says so to whoever asks for one.
    #[cfg(target_arch = "wasm32")]
    fn annotated(&self, _: &crate::review::GameReview, _: &str) -> Option<String> {
        self.pgn.as_ref().and(None)
    }
}

fn searched(desk: &mut Desk, history: &GameHistory, nodes: u32, signal: &SearchSignal) -> Option<SearchedValue> {
    if nodes == 0 {
        return None;
    }
    let searched = desk.look(history, &SearchLimits::nodes(nodes.into()), signal);
    let best = searched.best()?;
    let position = history.position();
    Some(SearchedValue {
        score: ScoreView::of(best.score, position.side_to_move()),
        depth: searched.depth,
        nodes: searched.nodes,
        line: line_moves(position, &best.moves),
    })
}

fn legal_move(history: &GameHistory, text: &str) -> Result<Move, Fault> {
    let read = history.position().parse_uci(text);
    read.map_err(|error| Fault::new(FaultCode::Chess, format!("The move cannot be played: {error}.")).at("played"))
}

fn within(field: &str, value: u64, least: u64, most: u64) -> Result<(), Fault> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(Fault::new(FaultCode::Value, format!("{value} is not between {least} and {most}.")).at(field))
}
