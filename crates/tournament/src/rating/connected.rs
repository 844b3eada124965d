//! Which players results compare.

/// Whether, along the directed edges, everybody can be reached from everybody.
pub(super) fn is_strongly_connected(count: usize, edges: &[(usize, usize)]) -> bool {
    // From the first node forwards and backwards: whoever is reached both ways is in one component with it.
    let mut neighbours = vec![(Vec::new(), Vec::new()); count];
    for &(from, to) in edges {
        neighbours[from].0.push(to);
        neighbours[to].1.push(from);
    }
    let reaches_all = |forwards: bool| {
        let mut reached = vec![false; count];
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut reached[node], true) {
                let (out, into) = &neighbours[node];
                open.extend(if forwards { out } else { into });
            }
        }
        reached.into_iter().all(|reached| reached)
    };
    count > 0 && reaches_all(true) && reaches_all(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_connect_and_chains_do_not() {
        assert!(is_strongly_connected(3, &[(0, 1), (1, 2), (2, 0)]));
        assert!(!is_strongly_connected(3, &[(0, 1), (1, 2)]));
        assert!(!is_strongly_connected(4, &[(0, 1), (1, 0), (2, 3), (3, 2)]));
        assert!(is_strongly_connected(1, &[]));
        assert!(!is_strongly_connected(0, &[]));
    }
}
