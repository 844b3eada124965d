//! `kiebitz-lab games-needed`: how long will a match take?

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{ArgGroup, Args};
use kiebitz_tournament::sprt::{PlannedLength, Sprt};
use kiebitz_tournament::statistics::{EloModel, ScoreCounts, games_for_error};
use serde::Serialize;

use crate::match_play::Model;

/// What is to be found out.
#[derive(Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("question").required(true))]
pub(crate) struct Arguments {
    /// Games of a sequential test between these bounds.
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true, group = "question")]
    sprt: Option<Vec<f64>>,
    /// Games until the error bars of logistic Elo are this small.
    #[arg(long, value_name = "ELO", group = "question")]
    error: Option<f64>,
    /// The true difference, if there is a guess; a table of several without.
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo: Option<f64>,
    /// The share of drawn games, 0 to 1, of unrelated games.
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, conflicts_with = "pairs")]
    draws: f64,
    /// Pairs with 0, ½, 1, 1½ and 2 points that were seen before: the best guess of what comes.
    #[arg(long, num_args = 5, value_names = ["N0", "N1", "N2", "N3", "N4"])]
    pairs: Option<Vec<f64>>,
    /// Probability to accept ELO1 although ELO0 is true.
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Probability to accept ELO0 although ELO1 is true.
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// Scale of the bounds and of --elo.
    #[arg(long, value_enum, default_value_t = Model::Normalised)]
    model: Model,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
A sequential test takes longest when the truth lies between its bounds. Pairs from an earlier match (--pairs, as the
match prints them) say more than a share of draws: openings that are won once by each side need fewer games.

Exit code: 0, or 1 if the numbers make no sense.

Examples:
  kiebitz-lab games-needed --sprt 0 3
  kiebitz-lab games-needed --sprt 0 5 --model logistic --draws 0.4 --elo 8
  kiebitz-lab games-needed --sprt -3 1 --pairs 31 240 512 266 38
  kiebitz-lab games-needed --error 5 --draws 0.3 --elo 100";

#[derive(Serialize)]
struct Row {
    elo: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pass_probability: Option<f64>,
    expected_games: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    median_games: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    games_95: Option<f64>,
}

impl Row {
    fn of(elo: f64, plan: &PlannedLength) -> Self {
        Self {
            elo,
            pass_probability: Some(plan.pass_probability),
            expected_games: plan.expected_games,
            median_games: Some(plan.median_games),
            games_95: Some(plan.games_95),
        }
    }
}

/// Answers the question.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<ExitCode> {
    let shape = arguments.shape()?;
    let rows = match (&arguments.sprt, arguments.error) {
        (Some(bounds), _) => test_rows(arguments, bounds, shape)?,
        (None, Some(error)) => {
            let elo = arguments.elo.unwrap_or(0.0);
            let games = games_for_error(shape, elo, error).context("there is no such number of games")?;
            let expected_games = games as f64;
            vec![Row { elo, pass_probability: None, expected_games, median_games: None, games_95: None }]
        }
        (None, None) => bail!("give --sprt or --error"),
    };
    if arguments.json {
        serde_json::to_writer_pretty(&mut *output, &rows).map_err(io::Error::from)?;
        writeln!(output)?;
        return Ok(ExitCode::SUCCESS);
    }
    for row in &rows {
        match (row.pass_probability, row.median_games, row.games_95) {
            (Some(pass), Some(median), Some(most)) => writeln!(
                output,
                "true difference {:+6.2}: {:>9.0} games on average, half of all tests within {median:.0}, 19 of 20 \
                 within {most:.0}; accepted with {:.1} %",
                row.elo,
                row.expected_games,
                pass * 100.0
            )?,
            _ => writeln!(output, "{:.0} games", row.expected_games)?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn test_rows(arguments: &Arguments, bounds: &[f64], shape: ScoreCounts) -> Result<Vec<Row>> {
    let &[elo0, elo1] = bounds else { bail!("--sprt takes two bounds") };
    let model: EloModel = arguments.model.into();
    let test = Sprt::new(arguments.alpha, arguments.beta, [elo0, elo1], model).context("--sprt")?;
    let width = elo1 - elo0;
    let truths = match arguments.elo {
        Some(elo) => vec![elo],
        None => [-1.0, 0.0, 0.5, 1.0, 2.0].map(|part| elo0 + part * width).to_vec(),
    };
    let row = |&elo: &f64| {
        let plan = test.planned_length(shape, elo);
        plan.map(|plan| Row::of(elo, &plan)).with_context(|| format!("no results are possible at {elo} Elo"))
    };
    truths.iter().map(row).collect()
}

impl Arguments {
    fn shape(&self) -> Result<ScoreCounts> {
        if let Some(&[a, b, c, d, e]) = self.pairs.as_deref() {
            return Ok(ScoreCounts::of_pairs([a, b, c, d, e]));
        }
        if !(0.0..1.0).contains(&self.draws) {
            bail!("--draws {} is not a share between 0 and 1 (1 excluded)", self.draws);
        }
        Ok(ScoreCounts::unrelated_pairs(self.draws))
    }
}
