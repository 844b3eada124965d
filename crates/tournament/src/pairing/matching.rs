//! Maximum matchings in general graphs (Jack Edmonds' blossom algorithm).
//!
//! The question "can all these players be paired?" cannot be answered greedily. A matching grows by *augmenting paths*,
//! which begin and end at single players and alternate between edges outside and inside the matching; odd cycles met on the
//! way (blossoms) are shrunk to their base. The cost is at most cubic in the number of players, and one search (quadratic)
//! after a pair is taken out.

use std::collections::VecDeque;

/// A maximum matching of the players that are still to be paired.
#[derive(Clone, Debug)]
pub(super) struct Matching {
    edges: Vec<Vec<bool>>,
    /// The partner of each player.
    mate: Vec<Option<usize>>,
    /// Players that are neither paired for good nor taken out.
    present: Vec<bool>,
}

impl Matching {
    /// A maximum matching of `count` players, where `allowed` says who may meet.
    pub(super) fn new(count: usize, allowed: impl Fn(usize, usize) -> bool) -> Self {
        let edges = (0..count).map(|a| (0..count).map(|b| a != b && allowed(a, b)).collect()).collect();
        let mut matching = Self { edges, mate: vec![None; count], present: vec![true; count] };
        for player in 0..count {
            if matching.mate[player].is_none() {
                matching.augment(player);
            }
        }
        matching
    }

    /// How many pairs there are.
    pub(super) fn size(&self) -> usize {
        self.mate.iter().flatten().count() / 2
    }

    /// Whether a player is still to be paired.
    pub(super) fn contains(&self, player: usize) -> bool {
        self.present[player]
    }

    /// Pairs two players for good, unless the rest could then be paired less well. Says whether it did.
    pub(super) fn settle(&mut self, a: usize, b: usize) -> bool {
        if !self.edges[a][b] || !self.present[a] || !self.present[b] {
            return false;
        }
        let before = (self.mate.clone(), self.size());
        let widows = [a, b].map(|player| self.take_out(player));
        for widow in widows.into_iter().flatten() {
            if self.present[widow] && self.mate[widow].is_none() {
                self.augment(widow);
            }
        }
        self.keep_if(before, 1, &[a, b])
    }

    /// Takes a player out, unless the rest could then be paired less well. Says whether it did.
    pub(super) fn remove_if_spared(&mut self, player: usize) -> bool {
        let before = (self.mate.clone(), self.size());
        if let Some(widow) = self.take_out(player) {
            self.augment(widow);
        }
        self.keep_if(before, 0, &[player])
    }

    fn take_out(&mut self, player: usize) -> Option<usize> {
        self.present[player] = false;
        let mate = self.mate[player].take();
        if let Some(mate) = mate {
            self.mate[mate] = None;
        }
        mate
    }

    /// Goes back to the former matching if more than `loss` pairs were lost.
    fn keep_if(&mut self, (mate, size): (Vec<Option<usize>>, usize), loss: usize, taken: &[usize]) -> bool {
        let kept = self.size() + loss >= size;
        if !kept {
            self.mate = mate;
            taken.iter().for_each(|&player| self.present[player] = true);
        }
        kept
    }

    /// Looks for an augmenting path from a single player and follows it.
    fn augment(&mut self, root: usize) {
        let count = self.mate.len();
        let mut search = Search {
            parent: vec![None; count],
            base: (0..count).collect(),
            outer: vec![false; count],
            queue: VecDeque::from([root]),
        };
        search.outer[root] = true;
        while let Some(player) = search.queue.pop_front() {
            for other in 0..count {
                let same_blossom = search.base[player] == search.base[other];
                if !self.present[other] || !self.edges[player][other] || same_blossom {
                    continue;
                }
                if self.mate[player] == Some(other) {
                    continue;
                }
                let reached = self.mate[other].is_some_and(|mate| search.parent[mate].is_some());
                if other == root || reached {
                    self.shrink(&mut search, player, other);
                } else if search.parent[other].is_none() {
                    search.parent[other] = Some(player);
                    match self.mate[other] {
                        None => return self.flip(&search, other),
                        Some(mate) => {
                            search.outer[mate] = true;
                            search.queue.push_back(mate);
                        }
                    }
                }
            }
        }
    }

    /// Shrinks the odd cycle that an edge between two outer players closes.
    fn shrink(&self, search: &mut Search, player: usize, other: usize) {
        let base = self.common_base(search, player, other);
        let mut inside = vec![false; self.mate.len()];
        self.mark_path(search, &mut inside, player, base, other);
        self.mark_path(search, &mut inside, other, base, player);
        for member in 0..self.mate.len() {
            if inside[search.base[member]] {
                search.base[member] = base;
                if !search.outer[member] {
                    search.outer[member] = true;
                    search.queue.push_back(member);
                }
            }
        }
    }

    /// The nearest common ancestor of two outer players, blossoms counting as one.
    fn common_base(&self, search: &Search, player: usize, other: usize) -> usize {
        let mut visited = vec![false; self.mate.len()];
        let mut at = Some(player);
        while let Some(member) = at {
            let base = search.base[member];
            visited[base] = true;
            at = self.mate[base].and_then(|mate| search.parent[mate]);
        }
        let mut at = other;
        loop {
            let base = search.base[at];
            if visited[base] {
                return base;
            }
            match self.mate[base].and_then(|mate| search.parent[mate]) {
                Some(next) => at = next,
                // Both trees have one root, so this cannot be; the root is then the answer.
                None => return base,
            }
        }
    }

    /// Marks the blossoms on the way from a player to the base, and turns the parents around.
    fn mark_path(&self, search: &mut Search, inside: &mut [bool], mut player: usize, base: usize, mut child: usize) {
        while search.base[player] != base {
            let Some(mate) = self.mate[player] else { return };
            inside[search.base[player]] = true;
            inside[search.base[mate]] = true;
            search.parent[player] = Some(child);
            child = mate;
            match search.parent[mate] {
                Some(next) => player = next,
                None => return,
            }
        }
    }

    /// Swaps the edges along the path that ends at a single player.
    fn flip(&mut self, search: &Search, end: usize) {
        let mut at = Some(end);
        while let Some(player) = at {
            let Some(parent) = search.parent[player] else { return };
            let next = self.mate[parent];
            self.mate[player] = Some(parent);
            self.mate[parent] = Some(player);
            at = next;
        }
    }
}

/// One search's tree.
struct Search {
    parent: Vec<Option<usize>>,
    /// The base of the blossom each player is part of.
    base: Vec<usize>,
    /// Players at an even distance from the root.
    outer: Vec<bool>,
    queue: VecDeque<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    /// The largest number of pairs, by trying everything.
    fn brute_force(edges: &[Vec<bool>], free: u32) -> usize {
        let Some(first) = (0..edges.len()).find(|&player| free >> player & 1 == 1) else { return 0 };
        let rest = free & !(1 << first);
        let alone = brute_force(edges, rest);
        let with = (first + 1..edges.len()).filter(|&other| rest >> other & 1 == 1 && edges[first][other]);
        with.map(|other| 1 + brute_force(edges, rest & !(1 << other))).fold(alone, usize::max)
    }

    #[test]
    fn agrees_with_trying_everything() {
        let mut random = Random::new(3);
        for round in 0..3_000 {
            let count = 1 + random.below(9) as usize;
            let density = random.fraction();
            let mut edges = vec![vec![false; count]; count];
            for (a, b) in (0..count).flat_map(|a| (0..a).map(move |b| (a, b))) {
                let edge = random.fraction() < density;
                edges[a][b] = edge;
                edges[b][a] = edge;
            }
            let mut matching = Matching::new(count, |a, b| edges[a][b]);
            let best = brute_force(&edges, (1 << count) - 1);
            assert_eq!(matching.size(), best, "round {round}: {edges:?}");
            // Settling pairs never costs anything.
            let mut free = (1_u32 << count) - 1;
            let mut settled = 0;
            for a in 0..count {
                for b in 0..count {
                    let possible = a != b && edges[a][b] && free >> a & 1 == 1 && free >> b & 1 == 1;
                    let rest = free & !(1 << a) & !(1 << b);
                    let harmless = possible && settled + 1 + brute_force(&edges, rest) == best;
                    assert_eq!(matching.settle(a, b), harmless, "round {round}: {a} and {b} of {edges:?}");
                    if harmless {
                        free = rest;
                        settled += 1;
                    }
                }
            }
            assert_eq!(settled, best);
        }
    }
}
