//! A finished run as one page that needs nothing else.

use std::path::Path;

use anyhow::Result;
use kiebitz_trainer::{Recipe, RunFiles, RunLog};

use super::curves::{Curves, thinned};
use crate::drawing::chart::{Series, escaped, grouped, lines};
use crate::drawing::page::{END, Page, card, tiles};

/// Points of a curve on the page.
const MOST_POINTS: usize = 400;
/// The first part of a run, whose losses would hide all others.
const HIDDEN_SHARE: f64 = 0.02;

/// Writes the report of the run in a folder, from its recipe and log.
pub(crate) fn write(folder: &Path, path: &Path) -> Result<()> {
    let files = RunFiles::new(folder);
    let recipe = Recipe::parse(&std::fs::read_to_string(files.recipe())?)?;
    let curves = Curves::of(&RunLog::read(&files.log())?);
    Ok(kiebitz_network::write_file(path, page(&recipe, &curves)?.as_bytes())?)
}

/// The page.
fn page(recipe: &Recipe, curves: &Curves) -> Result<String> {
    let heading = format!("Training of {}", curves.name);
    let mut page = Page { title: &heading, heading: &heading, subtitle: &curves.network }.begin();
    let number = |value: u64| grouped(value as f64);
    let loss = |loss: Option<f64>| loss.map_or_else(|| "–".to_owned(), |loss| format!("{loss:.6}"));
    let best = curves.validations.iter().map(|point| point.1).min_by(f64::total_cmp);
    let mut shown = vec![
        ("parameters", number(curves.parameters)),
        ("samples", number(curves.samples)),
        ("positions seen", number(curves.positions)),
        ("validation loss", loss(curves.validations.last().map(|point| point.1))),
        ("the same quantised", loss(curves.quantised)),
        ("best validation loss", loss(best)),
        ("million positions a second", format!("{:.3}", curves.speed / 1e6)),
        ("device", curves.device.clone()),
    ];
    if let Some((file, checksum)) = &curves.file {
        let name = Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        shown.push(("network", name));
        shown.push(("SHA-256 begins", checksum.chars().take(12).collect()));
    }
    tiles(&mut page, &shown);
    page.push_str("<div class=\"cards\">");
    let hidden = curves.total as f64 * HIDDEN_SHARE;
    let late: Vec<(f64, f64)> = curves.losses.iter().copied().filter(|point| point.0 >= hidden).collect();
    let series = [
        Series { name: "training", points: &thinned(&late, MOST_POINTS), class: "other-line", dotted: false },
        Series { name: "validation", points: &curves.validations, class: "line", dotted: true },
    ];
    let note = "Over positions seen, without the first fiftieth. Training is measured with the targets and the rounding of its \
                moment, validation always with those of the end and exact weights.";
    card(&mut page, "Loss", note, &lines(&series, &|value| format!("{value:.4}"), false));
    let rates = thinned(&curves.rates, MOST_POINTS);
    let series = [Series { name: "learning rate", points: &rates, class: "line", dotted: false }];
    card(&mut page, "Learning rate", "Over positions seen.", &lines(&series, &|value| format!("{value:.1e}"), true));
    let speeds = thinned(&curves.speeds, MOST_POINTS);
    let series = [Series { name: "positions a second", points: &speeds, class: "line", dotted: false }];
    let speed_name = |value: f64| format!("{:.2} M", value / 1e6);
    card(&mut page, "Speed", "Positions a second over positions seen.", &lines(&series, &speed_name, true));
    let recipe = format!("<pre style=\"overflow:auto\">{}</pre>", escaped(&recipe.to_text()?));
    card(&mut page, "Recipe", "Together with the data it decides the network bit for bit.", &recipe);
    Ok(page + END)
}

#[cfg(test)]
mod tests {
    use super::super::curves::tests::events;
    use super::*;

    fn recipe() -> Recipe {
        let text = "name = 'tiny'\nnetwork = 'inputs = piece768 trunk = accumulate 8 clipped heads = value'\n[data]\n\
                    train = ['<x>']\n[training]\npositions = 1000";
        Recipe::parse(text).unwrap()
    }

    #[test]
    fn the_page_is_whole_and_needs_nothing_else() {
        for curves in [Curves::of(&events()), Curves::default()] {
            let page = page(&recipe(), &curves).unwrap();
            assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
            assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
            for foreign in ["NaN", "inf,", "http", "src=", "href=", "'<x>'"] {
                assert!(!page.contains(foreign), "{foreign}");
            }
        }
        assert!(page(&recipe(), &Curves::of(&events())).unwrap().contains("0.030000"));
    }
}
