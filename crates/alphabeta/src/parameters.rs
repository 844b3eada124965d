//! Every number of the search that a tuner may turn, and every idea that an on/off match may turn off.
//!
//! Margins are centipawns unless they say otherwise, depths are plies, reductions are 1024ths of a ply.
//!
//! Tuned with the built-in network by `kiebitz-lab spsa kiebitz --nodes 8000 --pairs 6000 --pairs-per-iteration 32 --learning-rate 0.005
//! --option Hash=16 --seed 1`, UHO openings, stopped after 2 976 pairs. **Match:** these numbers against those before: +18.1 ± 14.5 Elo (1 000
//! games at 8 000 nodes a move). Since then checks are reduced less, for the combinations that this finds: of 29 of *Win at Chess* that 400 000 nodes
//! miss, 1.8 million found 18 with 862, 22 with 1 200 and 25 with 2 500. 1 200 against 862: +9.0 ± 13.9 Elo, 2 500 against 862: -12.5 ± 14.9 (1 000
//! games each at 8 000 nodes, seeds 42 and 41).

kiebitz_search::tunables! {
    numbers {
        /// First half-width of the aspiration window.
        aspiration_width = 15 in 4..=60 step 2;
        /// Reverse futility: margin per ply.
        reverse_futility_margin = 70 in 20..=200 step 6;
        /// Reverse futility: deepest node.
        reverse_futility_depth = 9 in 2..=16 step 1;
        /// Threats of mate: shallowest node that looks for them.
        mate_threat_depth = 2 in 1..=12 step 1;
        /// Razoring: margin at depth 0.
        razoring_base = 218 in 50..=600 step 20;
        /// Razoring: margin per ply squared.
        razoring_margin = 133 in 20..=500 step 15;
        /// Null move: reduction at depth 0, in plies.
        null_move_base = 5 in 2..=7 step 1;
        /// Null move: plies of depth per further ply of reduction.
        null_move_divisor = 4 in 2..=8 step 1;
        /// Null move: centipawns above beta per further ply of reduction.
        null_move_surplus = 178 in 50..=500 step 15;
        /// Null move: how far the static evaluation may lie below beta at depth 0.
        null_move_base_margin = 157 in 0..=400 step 15;
        /// Null move: how much less it may per ply.
        null_move_margin = 16 in 0..=60 step 2;
        /// Probcut: how far above beta a capture must come out.
        probcut_margin = 169 in 50..=400 step 12;
        /// Probcut: how much less when improving.
        probcut_improving = 47 in 0..=200 step 8;
        /// Late move pruning: moves that are tried at depth 0.
        late_move_base = 6 in 1..=10 step 1;
        /// Futility: margin at depth 0.
        futility_base = 84 in 0..=400 step 12;
        /// Futility: margin per ply.
        futility_margin = 86 in 20..=300 step 8;
        /// Futility of captures: margin at depth 0.
        capture_futility_base = 176 in 0..=500 step 15;
        /// Futility of captures: margin per ply.
        capture_futility_margin = 172 in 20..=500 step 12;
        /// History pruning: history below which a quiet move is skipped, per ply, negative.
        history_pruning_margin = 6145 in 500..=10000 step 250;
        /// Exchange pruning of quiet moves: material that may be lost per ply squared.
        quiet_exchange_margin = 17 in 5..=80 step 3;
        /// Exchange pruning of captures: material that may be lost per ply.
        capture_exchange_margin = 96 in 20..=250 step 8;
        /// Singular extension: margin per ply, in 64ths of a centipawn.
        singular_margin = 80 in 16..=256 step 8;
        /// Singular extension: how far below the margin the rest must fail for a second ply.
        double_extension_margin = 18 in 0..=80 step 3;
        /// Singular extension: how far for a third.
        triple_extension_margin = 90 in 20..=300 step 10;
        /// Reductions: constant part.
        reduction_base = 781 in 0..=2000 step 60;
        /// Reductions: product of the logarithms of depth and move number, in 1024ths.
        reduction_slope = 401 in 150..=1000 step 20;
        /// Reductions: more at nodes expected to fail high.
        reduction_cut_node = 1796 in 0..=4000 step 100;
        /// Reductions: less on principal lines.
        reduction_principal = 1271 in 0..=3000 step 80;
        /// Reductions: less on principal variations.
        reduction_window = 904 in 0..=3000 step 80;
        /// Reductions: more if the position does not improve.
        reduction_not_improving = 753 in 0..=2500 step 60;
        /// Reductions: more if the hash move is a capture.
        reduction_noisy_hash = 935 in 0..=2500 step 60;
        /// Reductions: less for checks.
        reduction_check = 1200 in 0..=2500 step 60;
        /// Reductions: less for killers.
        reduction_killer = 888 in 0..=2500 step 60;
        /// Reductions: more if the children often fail high.
        reduction_cutoffs = 928 in 0..=2500 step 60;
        /// Reductions: history per ply.
        reduction_history = 7572 in 2000..=20000 step 400;
        /// Reductions of captures: capture history per ply.
        reduction_capture_history = 6537 in 2000..=20000 step 400;
        /// Search again one ply deeper: how far above the best value.
        deeper_margin = 47 in 5..=200 step 5;
        /// Quiescence: what a capture may bring beyond its victim.
        quiescence_futility = 162 in 20..=500 step 12;
        /// History bonus per ply.
        bonus_slope = 173 in 50..=500 step 12;
        /// Largest history bonus.
        bonus_limit = 1497 in 500..=4000 step 80;
        /// History malus per ply.
        malus_slope = 202 in 50..=500 step 12;
        /// Largest history malus.
        malus_limit = 1328 in 300..=4000 step 80;
        /// What being a killer adds to a quiet move's merit.
        killer_merit = 21059 in 0..=60000 step 1500;
        /// What giving check adds to a quiet move's merit.
        check_merit = 6505 in 0..=40000 step 1000;
        /// Merit of a capture that makes up for one centipawn of a losing exchange.
        good_capture_divisor = 32 in 8..=128 step 4;
        /// Weight of the pawns' correction.
        correction_pawns = 113 in 0..=400 step 10;
        /// Weight of the minor pieces' correction.
        correction_minor_pieces = 79 in 0..=400 step 10;
        /// Weight of each side's pieces' correction.
        correction_pieces = 101 in 0..=400 step 10;
        /// Weight of the moves' correction.
        correction_moves = 103 in 0..=400 step 10;
    }
    switches {
        /// See `iterative_deepening.rs`.
        aspiration_windows: on;
        /// See `pruning/mate_distance.rs`.
        mate_distance_pruning: on;
        /// See `repetition.rs`.
        upcoming_repetition: on;
        /// See `pruning/reverse_futility.rs`.
        reverse_futility_pruning: on;
        /// See `pruning/mate_threat.rs`.
        mate_threats: on;
        /// See `pruning/razoring.rs`.
        razoring: on;
        /// See `pruning/null_move.rs`.
        null_move_pruning: on;
        /// See `pruning/probcut.rs`.
        probcut: on;
        /// See `pruning/late_moves.rs`.
        late_move_pruning: on;
        /// See `pruning/futility.rs`.
        futility_pruning: on;
        /// See `pruning/history.rs`.
        history_pruning: on;
        /// See `pruning/exchange.rs`.
        exchange_pruning: on;
        /// See `reductions.rs`.
        late_move_reductions: on;
        /// See `reductions.rs`.
        internal_iterative_reductions: on;
        /// See `extensions.rs`.
        singular_extensions: on;
        /// See `extensions.rs`.
        multi_cut: on;
        /// See `extensions.rs`.
        check_extensions: on;
        /// See `improving.rs`.
        improving_flag: on;
        /// See `correction.rs`.
        correction_histories: on;
        /// See `move_picker.rs`.
        checks_first: on;
        /// The ordering only; see `move_picker.rs`.
        killer_moves: on;
        /// Losing captures behind the quiet moves; see `move_picker.rs`.
        exchange_split: on;
        /// The ordering only; see `move_picker.rs`.
        capture_history: on;
        /// The ordering only; see `move_picker.rs`.
        quiet_history: on;
        /// The ordering only; see `move_picker.rs`.
        continuation_histories: on;
        /// The ordering only; see `move_picker.rs`.
        pawn_history: on;
        /// See `quiescence.rs`.
        quiescence_checks: on;
        /// See `quiescence.rs`.
        quiescence_futility_pruning: on;
        /// See `node.rs`.
        hash_cutoffs: on;
        /// See `node.rs`.
        fail_high_blending: on;
        /// See `worker.rs`.
        fifty_move_damping: on;
    }
}
