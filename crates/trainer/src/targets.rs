//! From the loader's batches to a device's samples.

use kiebitz_chess::Color;
use kiebitz_compute::{CheckedSamples, ComputeError, Samples, SparseView};
use kiebitz_dataset::{Batch, SparseRows};
use kiebitz_network::NetworkSpec;

/// A batch as a device takes it: samples sorted by bucket, targets from scores and results.
///
/// `result_share` of the target is the result, the rest the score's sigmoid; where one of the two is missing the other
/// stands alone, and a sample without both aims at a draw.
///
/// # Errors
///
/// When the batch was made for another network.
pub fn samples_of(
    spec: &NetworkSpec,
    batch: &Batch,
    score_scale: f32,
    result_share: f32,
) -> Result<CheckedSamples, ComputeError> {
    let (order, bucket_ends) = by_bucket(spec, batch);
    let is_single = spec.views() == 1;
    let turned = |sample: u32| is_single && batch.movers[sample as usize] == Color::Black;
    let target = |&sample: &u32| {
        let target = target_of(batch, sample as usize, score_scale, result_share);
        if turned(sample) { 1.0 - target } else { target }
    };
    let views = match is_single {
        true => vec![picked(&order, |sample| if turned(sample) { &batch.other } else { &batch.own })],
        false => vec![picked(&order, |_| &batch.own), picked(&order, |_| &batch.other)],
    };
    let targets = order.iter().map(target).collect();
    Samples { views, bucket_ends, targets, triplets: Vec::new() }.checked(spec.features().count() as usize)
}

/// What the mover of a sample should be given, as a share of a point.
pub(crate) fn target_of(batch: &Batch, sample: usize, score_scale: f32, result_share: f32) -> f32 {
    let (score, points) = (batch.scores[sample], batch.points[sample]);
    let expected = 1.0 / (1.0 + (-score / score_scale).exp());
    match (score.is_nan(), points.is_nan()) {
        (false, false) => expected + (points - expected) * result_share,
        (false, true) => expected,
        (true, false) => points,
        (true, true) => 0.5,
    }
}

/// Positions of triplets, P, Q, R after each other, as a device takes them: samples sorted by bucket, and where those of each triplet are.
///
/// # Errors
///
/// When the positions were looked at for another network.
pub(crate) fn triplets_of(spec: &NetworkSpec, positions: &Batch) -> Result<CheckedSamples, ComputeError> {
    let (order, bucket_ends) = by_bucket(spec, positions);
    let mut triplets = vec![0; order.len()];
    order.iter().zip(0..).for_each(|(&sample, place)| triplets[sample as usize] = place);
    let views = vec![picked(&order, |_| &positions.own), picked(&order, |_| &positions.other)];
    Samples { views, bucket_ends, targets: Vec::new(), triplets }.checked(spec.features().count() as usize)
}

/// The samples sorted by bucket, and where each bucket ends.
fn by_bucket(spec: &NetworkSpec, batch: &Batch) -> (Vec<u32>, Vec<u32>) {
    let count = batch.len();
    let buckets: Vec<usize> = batch.pieces.iter().map(|&pieces| spec.buckets.index(usize::from(pieces))).collect();
    let mut bucket_ends = vec![0_u32; spec.buckets.count];
    buckets.iter().for_each(|&bucket| bucket_ends[bucket] += 1);
    let mut total = 0;
    for end in &mut bucket_ends {
        total += *end;
        *end = total;
    }
    let mut next: Vec<usize> =
        std::iter::once(0).chain(bucket_ends.iter().map(|&end| end as usize)).take(spec.buckets.count).collect();
    let mut order = vec![0_u32; count];
    for (sample, &bucket) in buckets.iter().enumerate() {
        order[next[bucket]] = sample as u32;
        next[bucket] += 1;
    }
    (order, bucket_ends)
}

fn picked<'a>(order: &[u32], rows: impl Fn(u32) -> &'a SparseRows) -> SparseView {
    let mut view = SparseView::default();
    view.ends.reserve(order.len());
    view.indices.reserve(order.first().map_or(0, |&first| rows(first).indices.len()));
    for &sample in order {
        view.indices.extend_from_slice(rows(sample).row(sample as usize));
        view.ends.push(view.indices.len() as u32);
    }
    view
}
