//! The stage in which the network plays.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use kiebitz_dataset::WrittenFile;
use kiebitz_search::SearchSignal;
use kiebitz_selfplay::{Evaluation, GamePlayer, Rules};
use kiebitz_tournament::pairing::Format;
use kiebitz_tournament::runner::{
    Conclusion, Contestant, EncounterStanding, Event as Told, Match, MatchSettings, OpeningChoice,
};
use kiebitz_tournament::{AdjudicationRules, DrawRule, ResignRule, ResignSides, TimeControl};
use kiebitz_uci::EngineCommand;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::error::ForgeError;
use crate::event::Event;
use crate::forge::{Done, Job};
use crate::settings::ContestSettings;
use crate::stage::{Stage, write_whole};

/// What the network scored against an opponent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Encounter {
    /// Who.
    pub opponent: String,
    /// Games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The difference in Elo with both ends of its 95 % interval; none if an end is infinite, as it is after few one-sided games.
    pub elo: Option<[f64; 3]>,
    /// The finite end of such an interval: the upper one if the network scored less than half, else the lower one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo_end: Option<f64>,
    /// The probability that the network is the stronger one.
    pub superiority: Option<f64>,
}

/// The name of the opponent that every network should beat.
const BASELINE: &str = "material and tables";
/// The name of the usual opponent.
const HANDCRAFTED: &str = "hand-crafted";
/// Openings that lie apart by this at most, in centipawns.
const OPENING_LIMIT: u16 = 150;
/// Mebibytes of hash for each player.
const HASH: &str = "8";

pub(crate) fn run(job: &mut Job<'_>, proved: &Done) -> Result<Done, ForgeError> {
    let settings = job.settings;
    let contest = &settings.contest;
    let engine = WrittenFile::of(&contest.engine)?;
    let against = contest.against.as_deref().map(WrittenFile::of).transpose()?;
    let inputs = json!({
        "network": proved.record.outputs,
        // The match knows its players by their paths.
        "engine": engine,
        "program": std::path::absolute(&contest.engine).map_err(ForgeError::io(&contest.engine))?,
        "workshop": job.workshop(),
        "against": against,
        "limit": contest.limit.to_string(),
        "games": contest.games,
        "seed": settings.seed,
    });
    let network = proved.files().first().cloned().unwrap_or_default();
    job.stage(Stage::Match, inputs, |job, place| {
        if contest.games == 0 {
            return Ok((Vec::new(), json!({ "encounters": [] })));
        }
        // Networks that play lie in the stage's own folder: wherever they came from, the match can be continued.
        let copy = |from: &Path, name: &str| -> Result<PathBuf, ForgeError> {
            let bytes = std::fs::read(from).map_err(ForgeError::io(from))?;
            write_whole(&place.file(name), &bytes)?;
            Ok(place.file(name))
        };
        let network = copy(&network, "forged.net")?;
        let against = contest.against.as_deref().map(|path| Ok::<_, ForgeError>((path, copy(path, "against.net")?)));
        let against = against.transpose()?;
        let contestants = contestants(contest, &settings.name(), &network, against.as_ref());
        let games = Games {
            event: format!("Forging {}", settings.name()),
            contestants,
            limit: contest.limit,
            games: contest.games,
            seed: settings.seed,
            threads: settings.threads,
            folder: &place.folder,
        };
        let stop = job.stop;
        let encounters = games.play(stop, &mut |playing| job.tell(&Event::Playing { playing }))?;
        Ok((Vec::new(), json!({ "encounters": encounters, "limit": contest.limit.to_string() })))
    })
}

/// Games of the first player against all others.
pub(crate) struct Games<'a> {
    /// Their name in PGN.
    pub(crate) event: String,
    pub(crate) contestants: Vec<Contestant>,
    pub(crate) limit: TimeControl,
    /// Against each opponent; rounded up to pairs.
    pub(crate) games: u32,
    pub(crate) seed: u64,
    /// Games at the same time.
    pub(crate) threads: NonZeroUsize,
    /// Where openings and journal lie.
    pub(crate) folder: &'a Path,
}

impl Games<'_> {
    /// Plays them, or those that are left of them.
    pub(crate) fn play(self, stop: &AtomicBool, tell: &mut dyn FnMut(Told)) -> Result<Vec<Encounter>, ForgeError> {
        let pairs = self.games.div_ceil(2);
        let book = self.folder.join("openings.epd");
        if !book.exists() {
            write_whole(&book, openings(pairs, self.seed).as_bytes())?;
        }
        let mut plan = MatchSettings::new(self.contestants, pairs);
        plan.event = self.event;
        plan.format = Format::Gauntlet { tried: 1 };
        plan.seed = self.seed;
        plan.openings = OpeningChoice { book: Some(book), in_order: true, ..OpeningChoice::default() };
        plan.adjudication = AdjudicationRules {
            draw: Some(DrawRule { from_move: 40, moves: 8, score: 15 }),
            resign: Some(ResignRule { moves: 3, score: 600, sides: ResignSides::Both }),
            longest: Some(200),
        };
        plan.concurrency = self.threads.get();
        plan.deterministic = self.limit.is_deterministic();
        plan.folder = Some(self.folder.join("games"));
        plan.resume = true;
        let report = Match::prepare(plan, None)?.run(stop, |playing| match playing {
            // The last word is the stage's own.
            Told::MatchFinished { .. } | Told::GameBegun { .. } => {}
            playing => tell(playing),
        })?;
        if report.conclusion == Conclusion::Stopped {
            return Err(ForgeError::Stopped("playing"));
        }
        Ok(report.standing.encounters.iter().map(encounter).collect())
    }
}

/// A player of the engine program, one thread and little hash.
pub(crate) fn player(engine: &Path, label: &str) -> EngineCommand {
    let mut command = EngineCommand::new(engine).option("Threads", "1").option("Hash", HASH);
    command.label = Some(label.to_owned());
    command
}

impl Encounter {
    /// The difference in Elo for people.
    #[must_use]
    pub fn elo_text(&self) -> String {
        match (self.elo, self.elo_end) {
            (Some([value, low, high]), _) => format!("{value:+.0} ({low:+.0} to {high:+.0})"),
            (None, Some(end)) if self.wins < self.losses => format!("below {end:+.0}"),
            (None, Some(end)) => format!("above {end:+.0}"),
            (None, None) => "–".to_owned(),
        }
    }
}

fn encounter(standing: &EncounterStanding) -> Encounter {
    let elo = standing.elo.map(|bar| [bar.value, bar.low, bar.high]);
    let is_whole = |elo: &[f64; 3]| elo.iter().all(|value| value.is_finite());
    let end =
        elo.filter(|elo| !is_whole(elo)).map(|[_, low, high]| if standing.wins < standing.losses { high } else { low });
    Encounter {
        opponent: standing.second.clone(),
        games: standing.games,
        wins: standing.wins,
        draws: standing.draws,
        losses: standing.losses,
        elo: elo.filter(is_whole),
        elo_end: end.filter(|end| end.is_finite()),
        superiority: standing.superiority,
    }
}

/// The new network first, then what it is compared with (where it was, and where it is), then the baseline.
fn contestants(
    contest: &ContestSettings,
    name: &str,
    network: &Path,
    against: Option<&(&Path, PathBuf)>,
) -> Vec<Contestant> {
    let player = |label: &str| player(&contest.engine, label);
    let with_network = |label: &str, path: &Path| player(label).option("EvalFile", path.display().to_string());
    let rival = match against {
        Some((original, path)) => {
            let stem = original.file_stem().map_or_else(|| "previous".into(), |stem| stem.to_string_lossy());
            let label = if stem == name { format!("{stem} before") } else { stem.into_owned() };
            with_network(&label, path)
        }
        None => player(HANDCRAFTED).option("Evaluation", "handcrafted"),
    };
    let players = [with_network(name, network), rival, player(BASELINE).option("Evaluation", BASELINE)];
    players.into_iter().map(|command| Contestant::new(command, contest.limit)).collect()
}

/// Balanced openings: some random moves that our own search finds playable for both sides.
fn openings(count: u32, seed: u64) -> String {
    let rules = Rules { seed, opening_limit: OPENING_LIMIT, ..Rules::default() };
    let signal = SearchSignal::new();
    let mut player = GamePlayer::new(&rules, &[], &Evaluation::Handcrafted, &signal);
    let mut text = String::new();
    for number in 0..u64::from(count) {
        if let Some(position) = player.opening(number) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{position}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_sided_matches_have_an_end_in_elo() {
        let ends = Encounter {
            opponent: "x".to_owned(),
            games: 20,
            wins: 2,
            draws: 0,
            losses: 18,
            elo: None,
            elo_end: Some(-188.4),
            superiority: None,
        };
        assert_eq!(ends.elo_text(), "below -188");
        assert_eq!(Encounter { wins: 18, losses: 2, elo_end: Some(188.4), ..ends.clone() }.elo_text(), "above +188");
        assert_eq!(Encounter { elo: Some([1.0, -2.0, 4.0]), ..ends.clone() }.elo_text(), "+1 (-2 to +4)");
        assert_eq!(Encounter { elo_end: None, ..ends }.elo_text(), "–");
    }

    #[test]
    fn openings_depend_on_the_seed_alone() {
        let few = openings(5, 3);
        assert_eq!(few.lines().count(), 5);
        assert_eq!(few, openings(5, 3));
        assert_ne!(few, openings(5, 4));
    }
}
