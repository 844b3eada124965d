//! What a run's events amount to: curves, and where it stands.

use std::time::Duration;

use kiebitz_trainer::Event;

/// Everything that a dashboard or a report shows of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Curves {
    pub(crate) name: String,
    pub(crate) network: String,
    pub(crate) device: String,
    pub(crate) parameters: u64,
    /// Samples of an epoch of the data.
    pub(crate) samples: u64,
    /// Positions that the whole run sees.
    pub(crate) total: u64,
    /// Positions seen.
    pub(crate) positions: u64,
    /// Positions a second, lately.
    pub(crate) speed: f64,
    /// Training loss over positions.
    pub(crate) losses: Vec<(f64, f64)>,
    /// Validation loss over positions.
    pub(crate) validations: Vec<(f64, f64)>,
    /// Learning rate over positions.
    pub(crate) rates: Vec<(f64, f64)>,
    /// Speed over positions.
    pub(crate) speeds: Vec<(f64, f64)>,
    /// The validation loss of the network that plays, in integers.
    pub(crate) quantised: Option<f64>,
    /// The network's file and checksum, at the end.
    pub(crate) file: Option<(String, String)>,
}

/// How much of the last speed counts against the ones before.
const NEWEST_SHARE: f64 = 0.2;

impl Curves {
    /// The curves of a whole log.
    pub(crate) fn of(events: &[Event]) -> Self {
        let mut curves = Self::default();
        events.iter().for_each(|event| curves.add(event));
        curves
    }

    /// Takes in an event.
    pub(crate) fn add(&mut self, event: &Event) {
        match event {
            Event::Start { name, network, device, parameters, samples, step, steps, batch } => {
                self.name.clone_from(name);
                self.network = network.split_whitespace().collect::<Vec<_>>().join(" ");
                self.device.clone_from(device);
                (self.parameters, self.samples) = (*parameters, *samples);
                self.total = steps * *batch as u64;
                self.positions = step * *batch as u64;
            }
            Event::Steps { positions, loss, rate, speed, .. } => {
                let at = *positions as f64;
                self.positions = *positions;
                self.speed = if self.speed > 0.0 { self.speed + (speed - self.speed) * NEWEST_SHARE } else { *speed };
                self.losses.push((at, *loss));
                self.rates.push((at, *rate));
                self.speeds.push((at, *speed));
            }
            Event::Validation { positions, loss, .. } => self.validations.push((*positions as f64, *loss)),
            Event::Checkpoint { .. } | Event::PassedOver { .. } => {}
            Event::End { file, checksum, quantised_loss, .. } => {
                self.quantised = *quantised_loss;
                self.file = Some((file.clone(), checksum.clone()));
            }
        }
    }

    /// Time to the end at the present speed.
    pub(crate) fn left(&self) -> Option<Duration> {
        let positions = self.total.saturating_sub(self.positions) as f64;
        (self.speed > 0.0).then(|| Duration::from_secs_f64((positions / self.speed).min(1e9)))
    }

    /// The share that is done, 0 to 1.
    pub(crate) fn share(&self) -> f64 {
        if self.total == 0 { 0.0 } else { (self.positions as f64 / self.total as f64).clamp(0.0, 1.0) }
    }
}

/// A time as people say it: `1 h 05 min`, `3 min 20 s`, `12 s`.
pub(crate) fn spoken(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 3600.. => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
        seconds @ 60.. => format!("{} min {:02} s", seconds / 60, seconds % 60),
        seconds => format!("{seconds} s"),
    }
}

/// Neighbouring points averaged so that at most so many are left.
pub(crate) fn thinned(points: &[(f64, f64)], most: usize) -> Vec<(f64, f64)> {
    let size = points.len().div_ceil(most.max(1)).max(1);
    points
        .chunks(size)
        .map(|chunk| {
            let count = chunk.len() as f64;
            (
                chunk.iter().map(|point| point.0).sum::<f64>() / count,
                chunk.iter().map(|point| point.1).sum::<f64>() / count,
            )
        })
        .collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Some events of a run that is half done.
    pub(crate) fn events() -> Vec<Event> {
        let mut events = vec![Event::Start {
            name: "tiny".to_owned(),
            network: "inputs = piece768\ntrunk = accumulate 8".to_owned(),
            device: "CPU, 2 threads".to_owned(),
            parameters: 6161,
            samples: 5000,
            step: 0,
            steps: 100,
            batch: 10,
        }];
        for step in 1..=50_u64 {
            events.push(Event::Steps {
                step,
                positions: step * 10,
                loss: 1.0 / step as f64,
                rate: 0.001,
                result_share: 0.1,
                speed: 100.0,
            });
        }
        events.push(Event::Validation { step: 50, positions: 500, loss: 0.03, samples: 100 });
        events
    }

    #[test]
    fn curves_say_where_a_run_stands() {
        let curves = Curves::of(&events());
        assert_eq!((curves.total, curves.positions, curves.losses.len()), (1000, 500, 50));
        assert_eq!(curves.left(), Some(Duration::from_secs(5)));
        assert_eq!(curves.validations, [(500.0, 0.03)]);
        assert!((curves.share() - 0.5).abs() < 1e-9);
        assert_eq!(Curves::default().left(), None);
    }

    #[test]
    fn thinning_keeps_the_mean() {
        let points: Vec<(f64, f64)> = (0..100).map(|x| (f64::from(x), f64::from(x % 2))).collect();
        let thin = thinned(&points, 10);
        assert_eq!(thin.len(), 10);
        assert!(thin.iter().all(|point| (point.1 - 0.5).abs() < 1e-9));
        assert_eq!(thinned(&[], 10), []);
    }

    #[test]
    fn times_are_spoken() {
        assert_eq!(spoken(Duration::from_secs(12)), "12 s");
        assert_eq!(spoken(Duration::from_secs(200)), "3 min 20 s");
        assert_eq!(spoken(Duration::from_secs(3900)), "1 h 05 min");
    }
}
