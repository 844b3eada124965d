//! How alike two lists order the same things.

/// Ranks with ties sharing their mean.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&left, &right| values[left].total_cmp(&values[right]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let end = (start..order.len()).find(|&end| values[order[end]] != values[order[start]]).unwrap_or(order.len());
        order[start..end].iter().for_each(|&index| ranks[index] = (start + end - 1) as f64 / 2.0);
        start = end;
    }
    ranks
}

/// Spearman's rank correlation of two lists.
pub(crate) fn rank_correlation(left: &[f64], right: &[f64]) -> f64 {
    let (left, right) = (ranks(left), ranks(right));
    let mean = (left.len() - 1) as f64 / 2.0;
    let product = |first: &[f64], second: &[f64]| -> f64 {
        first.iter().zip(second).map(|(first, second)| (first - mean) * (second - mean)).sum()
    };
    product(&left, &right) / (product(&left, &left) * product(&right, &right)).sqrt()
}
