// Generated from crates/messages by `cargo xtask generate`; do not edit.

/** The version of this language. */
export const PROTOCOL = 1;

/**
 * Why an analysis ended.
 */
export type AnalysisEnd = "finished" | "stopped" | "replaced";

/**
 * How far an analysis goes. Without any limit it goes on until it is stopped.
 */
export type AnalysisLimit = {
/**
 * To this depth, in plies.
 */
depth: number | null,
/**
 * So many nodes.
 */
nodes: number | null,
/**
 * For so long.
 */
time_ms: number | null, };

/**
 * One of the best lines.
 */
export type AnalysisLine = {
/**
 * Its rank, from 1.
 */
rank: number,
/**
 * The depth it was searched to, in plies.
 */
depth: number,
/**
 * What it is worth to White.
 */
score: ScoreView,
/**
 * White's chances.
 */
chances: Chances,
/**
 * The moves.
 */
moves: Array<LineMove>, };

/**
 * What an analysis knows now.
 */
export type AnalysisUpdate = {
/**
 * The last depth that was reported, in plies.
 */
depth: number,
/**
 * The deepest line that was looked at, in plies.
 */
selective_depth: number,
/**
 * Positions visited since the analysis began.
 */
nodes: number,
/**
 * Positions a second.
 */
nodes_per_second: number,
/**
 * Thinking time since the analysis began.
 */
elapsed_ms: number,
/**
 * How full the table is, in thousandths.
 */
hash_full_permille: number,
/**
 * The best lines, best first.
 */
lines: Array<AnalysisLine>, };

/**
 * White's chances to win, draw and lose, in thousandths that sum to a thousand.
 */
export type Chances = {
/**
 * White wins.
 */
win: number,
/**
 * Nobody wins.
 */
draw: number,
/**
 * Black wins.
 */
loss: number, };

/**
 * Time for a game.
 */
export type ClockSetting = {
/**
 * What either side begins with.
 */
initial_ms: number,
/**
 * What a move adds.
 */
increment_ms: number, };

/**
 * A move and what a search says about it.
 */
export type ComparedMove = {
/**
 * The move.
 */
played: LineMove,
/**
 * What it leads to, for White.
 */
score: ScoreView,
/**
 * The line after it, the move itself first.
 */
line: Array<LineMove>,
/**
 * Depth of the search, in plies.
 */
depth: number, };

/**
 * A layer in the drawing of a network.
 */
export type DrawnLayer = {
/**
 * Its name: `accumulator`, `layer 1`, `output`.
 */
name: string,
/**
 * How many numbers it sees.
 */
inputs: number,
/**
 * How many sums it forms.
 */
outputs: number,
/**
 * What becomes of them, in words; empty for the output.
 */
activation: string,
/**
 * Weights and biases, all copies counted.
 */
parameters: number, };

/**
 * An event. All but `hello` carry the number of the request they answer.
 */
export type Event = { "kind": "hello",
/**
 * What the server is and allows.
 */
status: ServerStatus, } | { "kind": "opponents",
/**
 * The request.
 */
id: number,
/**
 * All of them, the best choice first.
 */
opponents: Array<Opponent>, } | { "kind": "waiting",
/**
 * The request.
 */
id: number,
/**
 * Searches before it.
 */
ahead: number, } | { "kind": "analysis",
/**
 * The request.
 */
id: number,
/**
 * All of it.
 */
update: AnalysisUpdate, } | { "kind": "analysis_ended",
/**
 * The request.
 */
id: number,
/**
 * Why.
 */
end: AnalysisEnd, } | { "kind": "thought",
/**
 * The request.
 */
id: number,
/**
 * The move; nothing if the game is over.
 */
best: LineMove | null,
/**
 * What it is worth to White.
 */
score: ScoreView,
/**
 * The line it expects, the move itself first.
 */
line: Array<LineMove>,
/**
 * How deep it looked, in plies.
 */
depth: number, } | { "kind": "draw_answer",
/**
 * The request.
 */
id: number,
/**
 * Whether it takes the draw.
 */
accepted: boolean,
/**
 * Why, in a sentence.
 */
reason: string, } | { "kind": "inspection",
/**
 * The request.
 */
id: number,
/**
 * All of it.
 */
inspection: Inspection, } | { "kind": "neuron",
/**
 * The request.
 */
id: number,
/**
 * All of them.
 */
weights: NeuronWeights, } | { "kind": "explanation",
/**
 * The request.
 */
id: number,
/**
 * All of it.
 */
explanation: MoveExplanation, } | { "kind": "review_progress",
/**
 * The request.
 */
id: number,
/**
 * Moves judged.
 */
done: number,
/**
 * Moves in all.
 */
total: number,
/**
 * The move; nothing for the start.
 */
reviewed: ReviewedMove | null, } | { "kind": "review",
/**
 * The request.
 */
id: number,
/**
 * All of it.
 */
review: Review, } | { "kind": "listing",
/**
 * The request.
 */
id: number,
/**
 * All of it.
 */
listing: Listing, } | { "kind": "pong",
/**
 * The request.
 */
id: number, } | { "kind": "stopped",
/**
 * The request.
 */
id: number, } | { "kind": "fault",
/**
 * The request; nothing if it could not be read.
 */
id: number | null,
/**
 * What and why.
 */
fault: Fault, };

/**
 * The fact behind a sentence.
 */
export type Evidence = { "kind": "main_line",
/**
 * The move and its line.
 */
searched: ComparedMove, } | { "kind": "better",
/**
 * What it prefers.
 */
best: ComparedMove,
/**
 * The move in question.
 */
searched: ComparedMove,
/**
 * Expected points given away, in thousandths.
 */
loss_permille: number, } | { "kind": "only_move",
/**
 * The move.
 */
played: LineMove, } | { "kind": "game_over",
/**
 * How, in words.
 */
ending: string, } | { "kind": "mate",
/**
 * Moves until mate; negative if the mover is mated.
 */
moves: number,
/**
 * The line to the end.
 */
line: Array<LineMove>, } | { "kind": "material",
/**
 * What the mover gains, in pawns (1, 3, 3, 5, 9); negative when it loses.
 */
pawns: number,
/**
 * The pieces that the mover wins, equal ones of both sides struck off: `pawn`, `knight`, ….
 */
won: Array<string>,
/**
 * The pieces that the mover gives. A piece that the opponent took with the last move counts.
 */
given: Array<string>,
/**
 * The captures and promotions, in order.
 */
moves: Array<LineMove>,
/**
 * The line up to the last of them.
 */
line: Array<LineMove>, } | { "kind": "threat",
/**
 * What would follow if the opponent passed; its first move is the mover's.
 */
line: Array<LineMove>,
/**
 * What that gains in centipawns, over the move and over the best move of the position alike.
 */
gain_centipawns: number,
/**
 * Moves until mate, if it is one.
 */
mate: number | null,
/**
 * The pieces that it would win, equal ones of both sides struck off; not empty unless it is mate.
 */
won: Array<string>,
/**
 * The pieces that it would give for them.
 */
given: Array<string>, } | { "kind": "averted",
/**
 * What the opponent would have played.
 */
line: Array<LineMove>,
/**
 * What that would have gained for the opponent, in centipawns.
 */
gain_centipawns: number,
/**
 * Moves until mate, if it was one.
 */
mate: number | null,
/**
 * The pieces that the opponent would have won; not empty unless it was mate.
 */
won: Array<string>,
/**
 * The pieces that the opponent would have given for them.
 */
given: Array<string>, } | { "kind": "refutation",
/**
 * The alternative with the line that refutes it.
 */
alternative: ComparedMove,
/**
 * The move in question.
 */
searched: ComparedMove,
/**
 * Why the alternative is natural: `takes back`, `takes`, `gives check`, `castles`, `second choice`.
 */
why_natural: string,
/**
 * Expected points that it gives away against the move, in thousandths.
 */
loss_permille: number, } | { "kind": "contribution",
/**
 * Whose evaluation.
 */
opponent: string,
/**
 * The changes, the largest first.
 */
changes: Array<TermChange>,
/**
 * The evaluation before, in centipawns for White.
 */
before_centipawns: number,
/**
 * The evaluation after the move, in centipawns for White.
 */
after_centipawns: number, };

/**
 * Why something was not done.
 */
export type Fault = {
/**
 * Its kind.
 */
code: FaultCode,
/**
 * A sentence for people: what is wrong, and what to do.
 */
message: string,
/**
 * The field of the request that is to blame, such as `start`, `moves` or `pgn`.
 */
field: string | null, };

/**
 * Kinds of faults, for programs.
 */
export type FaultCode = "malformed" | "chess" | "value" | "missing" | "conflict" | "limit" | "refused" | "internal";

/**
 * How a feature came to be active.
 */
export type FeatureState = "kept" | "added" | "removed";

/**
 * What the clocks show.
 */
export type GameClock = {
/**
 * White's.
 */
white_ms: number,
/**
 * Black's.
 */
black_ms: number,
/**
 * What a move adds.
 */
increment_ms: number, };

/**
 * A game as it is kept.
 */
export type GameDocument = {
/**
 * Its name in addresses: letters, digits and hyphens. Whoever creates a game leaves it empty.
 */
id: string,
/**
 * Counts the changes. A change names the revision it began with, so that two pages do not overwrite each other.
 */
revision: number,
/**
 * When it was created, in milliseconds since 1970; the server's clock.
 */
created_ms: number,
/**
 * When it was changed last.
 */
changed_ms: number,
/**
 * Who plays White.
 */
white: Player,
/**
 * Who plays Black.
 */
black: Player,
/**
 * The clock, if there is one.
 */
clock: ClockSetting | null,
/**
 * The start as FEN.
 */
start: string,
/**
 * Every move, parents before children.
 */
nodes: Array<GameNode>,
/**
 * Where the page stands: an index into the nodes, or nothing at the start.
 */
current: number | null,
/**
 * How it ended.
 */
result: GameResult | null,
/**
 * Tags, for PGN.
 */
tags: Array<Tag>, };

/**
 * A move in the tree of a game.
 */
export type GameNode = {
/**
 * The index of the move before it, always a smaller one; nothing at the start. Of several moves with the same parent the
 * first is the main line.
 */
parent: number | null,
/**
 * The move in UCI notation.
 */
uci: string,
/**
 * The move in algebraic notation; the server writes it anew.
 */
san: string,
/**
 * Numeric glyphs: 1 is `!`, 2 is `?`, 4 is `??`, 6 is `?!`.
 */
nags: Array<number>,
/**
 * What is said about it.
 */
comment: string,
/**
 * What it was judged, if somebody did.
 */
score: ScoreView | null,
/**
 * What the mover's clock showed after it.
 */
clock_ms: number | null, };

/**
 * How a game ended.
 */
export type GameResult = {
/**
 * Who won.
 */
outcome: Outcome,
/**
 * Why, in words: `checkmate`, `resignation`, `agreement`, `time`, ….
 */
reason: string, };

/**
 * A game in a list.
 */
export type GameSummary = {
/**
 * Its name in addresses.
 */
id: string,
/**
 * When it was changed last, in milliseconds since 1970.
 */
changed_ms: number,
/**
 * Who plays White.
 */
white: Player,
/**
 * Who plays Black.
 */
black: Player,
/**
 * Moves of the main line, in plies.
 */
plies: number,
/**
 * How it ended.
 */
result: GameResult | null,
/**
 * The last position of the main line as FEN.
 */
fen: string, };

/**
 * The hand-crafted evaluation, term by term.
 */
export type HandcraftedInspection = {
/**
 * The terms; empty where a known ending decides alone.
 */
terms: Array<HandcraftedTerm>,
/**
 * How much of the middle game is left: 24 at the start, 0 without pieces.
 */
phase: number,
/**
 * The share of the end-game value that counts, in 128ths.
 */
scale: number,
/**
 * The value for White.
 */
centipawns: number,
/**
 * What rounding adds to the shares of the terms, in tenths of a centipawn for White; all of it in a known ending.
 */
rounding_tenths: number,
/**
 * Whether the ending is a known one and terms do not count.
 */
known_ending: boolean, };

/**
 * A group of terms of the hand-crafted evaluation, in centipawns.
 */
export type HandcraftedTerm = {
/**
 * Its name.
 */
name: string,
/**
 * What it gives White in the middle game.
 */
white_middle: number,
/**
 * What it gives White in the end game.
 */
white_end: number,
/**
 * What it gives Black in the middle game, positive when good for Black.
 */
black_middle: number,
/**
 * What it gives Black in the end game.
 */
black_end: number,
/**
 * Its share of the value in tenths of a centipawn for White, middle game and end game blended.
 */
share_tenths: number, };

/**
 * What came of an import.
 */
export type ImportedGames = {
/**
 * The games, saved.
 */
games: Array<GameDocument>,
/**
 * What is wrong with the others, a sentence each.
 */
broken: Array<string>, };

/**
 * Everything that can be seen of a position.
 */
export type Inspection = {
/**
 * The position as FEN.
 */
fen: string,
/**
 * Who is to move.
 */
side_to_move: Side,
/**
 * Whether the side to move is in check. The engine never uses the evaluation of such a position.
 */
in_check: boolean,
/**
 * The opponent whose evaluation this is.
 */
opponent: string,
/**
 * The evaluation before search, in centipawns for White. The shares below sum up to it.
 */
static_centipawns: number,
/**
 * The evaluation after search; nothing if none was asked for or the game is over.
 */
searched: SearchedValue | null,
/**
 * Every piece from a1 to h8.
 */
pieces: Array<PieceWorth>,
/**
 * What an empty board is worth, in tenths of a centipawn for White: biases, and who is to move.
 */
empty_tenths: number,
/**
 * What rounding adds, in tenths of a centipawn for White.
 */
rounding_tenths: number,
/**
 * The network at work; nothing for the hand-crafted evaluation.
 */
network: NetworkInspection | null,
/**
 * The hand-crafted terms, shown beside any network.
 */
handcrafted: HandcraftedInspection, };

/**
 * The values of a layer behind the accumulator.
 */
export type LayerValues = {
/**
 * Its name, such as `layer 1` or `output`.
 */
name: string,
/**
 * How many numbers it sees.
 */
inputs: number,
/**
 * Its sums, biases included.
 */
sums: Array<number>,
/**
 * What the next layer sees; empty for the last one.
 */
activations: Array<number>,
/**
 * What 1.0 is among the activations.
 */
activation_range: number, };

/**
 * A position with its past: where it began, and the moves since.
 */
export type Line = {
/**
 * The start as FEN.
 */
start: string,
/**
 * Moves in UCI notation. Castling is understood in both forms, `e1g1` and `e1h1`; the server writes the first
 * in standard chess, the second where the position is one of Chess960.
 */
moves: Array<string>, };

/**
 * A move of a line.
 */
export type LineMove = {
/**
 * In UCI notation.
 */
uci: string,
/**
 * In algebraic notation, English letters; the page turns them into figurines.
 */
san: string, };

/**
 * The present state of what is watched.
 */
export type Listing = { "kind": "networks",
/**
 * All of them.
 */
networks: Array<NetworkCard>, } | { "kind": "runs",
/**
 * All of them.
 */
runs: Array<RunSummary>, } | { "kind": "matches",
/**
 * All of them.
 */
matches: Array<MatchSummary>, } | { "kind": "run",
/**
 * With its curves.
 */
run: RunDetail, } | { "kind": "match",
/**
 * With its latest games.
 */
detail: MatchDetail, };

/**
 * A point of a curve.
 */
export type LossPoint = {
/**
 * Steps done.
 */
step: number,
/**
 * Positions seen.
 */
positions: number,
/**
 * Mean loss.
 */
loss: number,
/**
 * The learning rate; nothing for validation points.
 */
rate: number | null, };

/**
 * A match with its latest games.
 */
export type MatchDetail = {
/**
 * What the list says.
 */
summary: MatchSummary,
/**
 * Pairs, where two players meet.
 */
test: MatchTest | null,
/**
 * What was fixed about it, a line each: time control, openings, ….
 */
settings: Array<string>,
/**
 * The games in progress, in the order of their boards; a second behind at most.
 */
live: Array<MatchGame>,
/**
 * The latest finished games, the newest first; at most twenty.
 */
latest: Array<MatchGame>, };

/**
 * A game of a match.
 */
export type MatchGame = {
/**
 * Its number, from 1, in the order of the journal; of a game in progress, the board that it is played on.
 */
number: number,
/**
 * Who played White.
 */
white: string,
/**
 * Who played Black.
 */
black: string,
/**
 * How it ended; nothing while it is played.
 */
result: GameResult | null,
/**
 * The moves.
 */
line: Line,
/**
 * What the mover saw after each move, in centipawns for White; nothing where it said nothing or saw a mate.
 */
scores: Array<number | null>, };

/**
 * A player of a match and what it has scored.
 */
export type MatchPlayer = {
/**
 * Its name.
 */
name: string,
/**
 * Games.
 */
games: number,
/**
 * Wins.
 */
wins: number,
/**
 * Draws.
 */
draws: number,
/**
 * Losses.
 */
losses: number,
/**
 * Its points as a share of its games, 0 to 1; nothing without games.
 */
score: number | null,
/**
 * Rating difference against its opponents, in Elo; nothing without games or when everything was won or lost.
 */
elo: number | null,
/**
 * The 95 % margin of that, plus or minus.
 */
elo_margin: number | null, };

/**
 * A match in a list.
 */
export type MatchSummary = {
/**
 * Its name in addresses: the path of its folder inside the folder of matches.
 */
id: string,
/**
 * Its name.
 */
name: string,
/**
 * Whether it is being played.
 */
running: boolean,
/**
 * Games finished.
 */
games: number,
/**
 * Who plays.
 */
players: Array<MatchPlayer>,
/**
 * When its journal was changed last, in milliseconds since 1970.
 */
changed_ms: number, };

/**
 * Counts of game pairs of the first player against the second: 0, ½, 1, 1½ and 2 points.
 */
export type MatchTest = {
/**
 * Pairs by points.
 */
pentanomial: [number, number, number, number, number],
/**
 * What the match itself says of its sequential test, if it has one; a sentence.
 */
verdict: string | null, };

/**
 * Why a move.
 */
export type MoveExplanation = {
/**
 * The position before the move as FEN.
 */
fen: string,
/**
 * The move.
 */
played: LineMove,
/**
 * The sentences, the most important first.
 */
sentences: Array<Sentence>,
/**
 * Positions that were visited to check them.
 */
nodes: number, };

/**
 * How bad a move was.
 */
export type MoveMark = "dubious" | "mistake" | "blunder";

/**
 * A network in the workspace or among those that ship.
 */
export type NetworkCard = {
/**
 * Its name in requests: that of its file, or `kiebitz` for the one that is built in.
 */
id: string,
/**
 * Bytes of the file.
 */
bytes: number,
/**
 * When the file was changed last, in milliseconds since 1970; 0 for the one that is built in.
 */
changed_ms: number,
/**
 * The canonical description.
 */
spec: string,
/**
 * What its file says about it.
 */
description: string,
/**
 * Its licence; empty if nobody said.
 */
licence: string,
/**
 * The drawing.
 */
diagram: NetworkDiagram,
/**
 * What was proved, if anything.
 */
certificate: NetworkCertificate | null,
/**
 * How it was trained: whatever the trainer wrote down.
 */
manifest: unknown,
/**
 * Why it cannot be played; nothing if it can. Such a card has an empty drawing.
 */
fault: string | null, };

/**
 * What was proved and measured about a network.
 */
export type NetworkCertificate = {
/**
 * Every step.
 */
steps: Array<ProvedStep>,
/**
 * Whether every step is proved.
 */
proved: boolean,
/**
 * The distance to the floats, where there were some.
 */
rounding: RoundingFigures | null, };

/**
 * A network as a drawing shows it.
 */
export type NetworkDiagram = {
/**
 * The expression of the features.
 */
inputs: string,
/**
 * Its well-known name, such as `halfkp`.
 */
inputs_name: string | null,
/**
 * How many features there are.
 */
features: number,
/**
 * How many can be active at once, in one view.
 */
max_active: number,
/**
 * One view or two.
 */
views: number,
/**
 * Copies of the layers, chosen by the number of pieces.
 */
buckets: number,
/**
 * Whether features also have a direct weight.
 */
shortcut: boolean,
/**
 * The accumulator (for one view) and the layers behind it, the output last.
 */
layers: Array<DrawnLayer>,
/**
 * Weights and biases in all.
 */
parameters: number, };

/**
 * A network at work.
 */
export type NetworkInspection = {
/**
 * Which network.
 */
network: string,
/**
 * Which copy of the layers is used, by the number of pieces.
 */
bucket: number,
/**
 * How many copies there are.
 */
buckets: number,
/**
 * The accumulators, the side to move first.
 */
views: Array<ViewInspection>,
/**
 * The neurons that carry most of the value, the heaviest first.
 */
neurons: Array<NeuronShare>,
/**
 * What all other neurons, the empty board, a shortcut and rounding carry together, in tenths of a centipawn for White.
 */
other_tenths: number,
/**
 * The layers, in order, the output last.
 */
layers: Array<LayerValues>,
/**
 * The value in the network's own units for the side to move.
 */
units: number,
/**
 * The part of it that comes from the shortcut, if there is one.
 */
shortcut_units: number, };

/**
 * The weights of a neuron over the board for one kind of piece.
 */
export type NeuronBoard = {
/**
 * The piece as FEN writes it: upper case is the viewing side's own.
 */
piece: string,
/**
 * 64 weights from a1, b1, … to h8 on the viewing side's board; nothing where the network has no feature.
 */
weights: Array<number | null>, };

/**
 * How much of the value a neuron of the accumulator carries.
 */
export type NeuronShare = {
/**
 * Whose view, as an index into the views.
 */
view: number,
/**
 * Which neuron.
 */
neuron: number,
/**
 * Its sum.
 */
sum: number,
/**
 * Its share of the value in tenths of a centipawn for White.
 */
share_tenths: number, };

/**
 * What a neuron of the accumulator looks for.
 */
export type NeuronWeights = {
/**
 * Which network.
 */
network: string,
/**
 * Which neuron.
 */
neuron: number,
/**
 * How many neurons there are.
 */
neurons: number,
/**
 * Where the own king stands, which decides the weights of king-dependent features.
 */
king: string,
/**
 * Its bias.
 */
bias: number,
/**
 * A board for every kind of piece that has features.
 */
boards: Array<NeuronBoard>, };

/**
 * An engine that can be played against. Human-like and tree-searching players will appear in the same list.
 */
export type Opponent = {
/**
 * Its name in requests: `handcrafted`, or `network:` and the name of a network.
 */
id: string,
/**
 * Its name for people.
 */
name: string,
/**
 * A sentence about it.
 */
description: string,
/**
 * The weakest and the strongest rating that can be asked for; nothing if its strength cannot be set.
 */
elo_range: [number, number] | null,
/**
 * The network it plays with.
 */
network: string | null, };

/**
 * Who won.
 */
export type Outcome = "white" | "black" | "draw";

/**
 * Games in PGN, to be imported or as an answer.
 */
export type PgnText = {
/**
 * The text.
 */
pgn: string, };

/**
 * What a piece is worth, in two views.
 */
export type PieceWorth = {
/**
 * Where it stands, such as `e4`.
 */
square: string,
/**
 * The piece as FEN writes it: upper case is White.
 */
piece: string,
/**
 * The value with it less the value without it, in centipawns for White. Nothing for kings, where the rest is no
 * position for the hand-crafted terms, and where the side to move is in check.
 */
removal: number | null,
/**
 * Its share of the value in tenths of a centipawn for White; nothing without a network, where terms have shares instead.
 */
share_tenths: number | null, };

/**
 * A side of a game.
 */
export type Player = { "kind": "human",
/**
 * Their name; may be empty.
 */
name: string, } | { "kind": "engine",
/**
 * Its name in requests.
 */
opponent: string,
/**
 * The rating it plays at; full strength without one.
 */
elo: number | null, };

/**
 * What a step of a network can reach.
 */
export type ProvedStep = {
/**
 * Which step.
 */
step: string,
/**
 * The lowest value it can reach.
 */
lowest: number,
/**
 * The highest value it can reach.
 */
highest: number,
/**
 * What its integers can hold, plus or minus.
 */
limit: number,
/**
 * Whether it can neither saturate nor wrap.
 */
proved: boolean, };

/**
 * A request. Its `id` is chosen by the page, and every event that answers it carries it.
 */
export type Request = { "kind": "opponents",
/**
 * Its number.
 */
id: number, } | { "kind": "analyse",
/**
 * Its number.
 */
id: number,
/**
 * The position.
 */
line: Line,
/**
 * Who analyses.
 */
opponent: string,
/**
 * How many of the best lines.
 */
lines: number,
/**
 * Threads.
 */
threads: number,
/**
 * Table, in mebibytes.
 */
hash_mebibytes: number,
/**
 * How far.
 */
limit: AnalysisLimit, } | { "kind": "stop",
/**
 * The number of what is to be stopped.
 */
id: number, } | { "kind": "think",
/**
 * Its number.
 */
id: number,
/**
 * The game so far.
 */
line: Line,
/**
 * Who thinks.
 */
opponent: string,
/**
 * The rating to play at; full strength without one.
 */
elo: number | null,
/**
 * The clocks; without them `time_ms` counts.
 */
clock: GameClock | null,
/**
 * How long to think without clocks; a second if nothing is said.
 */
time_ms: number | null, } | { "kind": "offer_draw",
/**
 * Its number.
 */
id: number,
/**
 * The game so far.
 */
line: Line,
/**
 * Who is asked.
 */
opponent: string,
/**
 * Which side the opponent plays.
 */
opponent_side: Side, } | { "kind": "inspect",
/**
 * Its number.
 */
id: number,
/**
 * The position.
 */
line: Line,
/**
 * Whose evaluation.
 */
opponent: string,
/**
 * How many positions the search beside it visits; 0 for no search.
 */
search_nodes: number, } | { "kind": "neuron",
/**
 * Its number.
 */
id: number,
/**
 * Which network.
 */
network: string,
/**
 * Which neuron.
 */
neuron: number,
/**
 * Where the viewing side's king stands, on its own board.
 */
king: string, } | { "kind": "why",
/**
 * Its number.
 */
id: number,
/**
 * The position before the move.
 */
line: Line,
/**
 * The move in UCI notation; the best one if nothing is said.
 */
played: string | null,
/**
 * Whose evaluation.
 */
opponent: string, } | { "kind": "review",
/**
 * Its number.
 */
id: number,
/**
 * The main line.
 */
line: Line,
/**
 * The whole game, if an annotated PGN is wanted; its main line must be `line`.
 */
pgn: string | null,
/**
 * Who judges.
 */
opponent: string,
/**
 * Positions to visit for each move.
 */
nodes: number, } | { "kind": "watch",
/**
 * Its number.
 */
id: number,
/**
 * Of what.
 */
topic: Topic, } | { "kind": "ping",
/**
 * Its number.
 */
id: number, };

/**
 * A game, judged.
 */
export type Review = {
/**
 * Who judged, and how hard it looked.
 */
judge: string,
/**
 * White.
 */
white: SideReview,
/**
 * Black.
 */
black: SideReview,
/**
 * What the start was worth.
 */
start_score: ScoreView,
/**
 * Every move of the main line.
 */
moves: Array<ReviewedMove>,
/**
 * The game with glyphs, evaluations and better lines; nothing where there is no PGN writer (in the browser alone) or
 * no PGN was given.
 */
annotated_pgn: string | null, };

/**
 * A move of the main line, judged.
 */
export type ReviewedMove = {
/**
 * Its place in the main line, from 0.
 */
ply: number,
/**
 * Whose move it is.
 */
side: Side,
/**
 * The move played.
 */
played: LineMove,
/**
 * What the position is worth after it.
 */
score: ScoreView,
/**
 * What the best move promised.
 */
best_score: ScoreView,
/**
 * The best line from the position before the move.
 */
best_line: Array<LineMove>,
/**
 * Depth of that search, in plies; nothing where the rules alone decide.
 */
depth: number | null,
/**
 * Expected points given away, 0 to 1.
 */
loss: number,
/**
 * How bad it was, if it was.
 */
mark: MoveMark | null, };

/**
 * How far integers are from the floats they were made from.
 */
export type RoundingFigures = {
/**
 * Positions compared.
 */
positions: number,
/**
 * Mean distance in centipawns.
 */
mean_centipawns: number,
/**
 * Largest distance in centipawns.
 */
largest_centipawns: number,
/**
 * The share of positions where the best move of one ply is another one, 0 to 1.
 */
changed_best_moves: number, };

/**
 * A run with its curves.
 */
export type RunDetail = {
/**
 * What the list says.
 */
summary: RunSummary,
/**
 * The network's description.
 */
network: string,
/**
 * The device in words.
 */
device: string,
/**
 * Weights and biases.
 */
parameters: number,
/**
 * Positions of a step.
 */
batch: number,
/**
 * The recipe as it is written.
 */
recipe: string,
/**
 * Training losses; at most a thousand points, evenly chosen.
 */
training: Array<LossPoint>,
/**
 * Validation losses.
 */
validation: Array<LossPoint>,
/**
 * The file of the finished network.
 */
result: string | null, };

/**
 * How far a run is.
 */
export type RunState = "running" | "stopped" | "finished";

/**
 * A run in a list.
 */
export type RunSummary = {
/**
 * Its name in addresses: the path of its folder inside the folder of runs.
 */
id: string,
/**
 * Its name.
 */
name: string,
/**
 * How far it is.
 */
state: RunState,
/**
 * Steps done.
 */
step: number,
/**
 * Steps in all.
 */
steps: number,
/**
 * The last training loss.
 */
loss: number | null,
/**
 * The last validation loss.
 */
validation_loss: number | null,
/**
 * Positions a second, lately.
 */
speed: number | null,
/**
 * When its log was changed last, in milliseconds since 1970.
 */
changed_ms: number, };

/**
 * A score as White sees it.
 */
export type ScoreView = { "kind": "centipawns", "value": number } | { "kind": "mate", "value": number };

/**
 * What a short search says.
 */
export type SearchedValue = {
/**
 * What the position is worth after search.
 */
score: ScoreView,
/**
 * How deep it went, in plies.
 */
depth: number,
/**
 * How many positions it visited.
 */
nodes: number,
/**
 * The line.
 */
line: Array<LineMove>, };

/**
 * A feature that the network sees, or saw before the last move.
 */
export type SeenFeature = {
/**
 * Its index.
 */
index: number,
/**
 * What it means, such as `king e1, own knight d4`, as the viewing side sees the board.
 */
name: string,
/**
 * The squares of the pieces it speaks of, as the board has them; for removed ones where they stood before the move.
 */
squares: Array<string>,
/**
 * Whether the last move changed it.
 */
state: FeatureState,
/**
 * Its share of the value in tenths of a centipawn for White; 0 for removed ones.
 */
share_tenths: number, };

/**
 * A sentence with its evidence.
 */
export type Sentence = {
/**
 * The sentence.
 */
text: string,
/**
 * The fact.
 */
evidence: Evidence, };

/**
 * What a page may ask for.
 */
export type ServerLimits = {
/**
 * Threads of an analysis.
 */
max_threads: number,
/**
 * Table of an analysis, in mebibytes.
 */
max_hash_mebibytes: number,
/**
 * Lines of an analysis.
 */
max_lines: number,
/**
 * Nodes for each move of a review.
 */
max_review_nodes: number,
/**
 * Plies of a game.
 */
max_plies: number,
/**
 * Bytes of a message or a body.
 */
max_bytes: number,
/**
 * Searches that run at the same time; the others wait their turn.
 */
search_slots: number, };

/**
 * What a server is.
 */
export type ServerStatus = {
/**
 * The version of the messages.
 */
protocol: number,
/**
 * The version of the program.
 */
version: string,
/**
 * Whether documents (games, networks, runs, matches) are kept; not in the browser alone.
 */
documents: boolean,
/**
 * What may be asked for.
 */
limits: ServerLimits,
/**
 * Searches that run.
 */
running_searches: number,
/**
 * Searches that wait for their turn.
 */
waiting_searches: number,
/**
 * Open connections.
 */
connections: number, };

/**
 * A side.
 */
export type Side = "white" | "black";

/**
 * A side of a reviewed game.
 */
export type SideReview = {
/**
 * The average of 100 · e^(-5 · loss) over its moves; nothing if it never moved.
 */
accuracy: number | null,
/**
 * Average loss in centipawns.
 */
centipawn_loss: number | null,
/**
 * Dubious moves.
 */
dubious: number,
/**
 * Mistakes.
 */
mistakes: number,
/**
 * Blunders.
 */
blunders: number, };

/**
 * A tag of a game, such as `Event`.
 */
export type Tag = {
/**
 * Its name.
 */
name: string,
/**
 * Its value.
 */
value: string, };

/**
 * How the share of a piece, or a term of the hand-crafted evaluation, changes.
 */
export type TermChange = {
/**
 * A piece and its square (`N f3`), or the name of a term.
 */
name: string,
/**
 * Its share before, in tenths of a centipawn for White.
 */
before_tenths: number,
/**
 * Its share after.
 */
after_tenths: number, };

/**
 * What can be watched; the present state comes at once, later ones whenever something changes.
 */
export type Topic = { "kind": "networks" } | { "kind": "runs" } | { "kind": "matches" } | { "kind": "run",
/**
 * Which one.
 */
name: string, } | { "kind": "match",
/**
 * Which one.
 */
name: string, };

/**
 * What one side's accumulator holds.
 */
export type ViewInspection = {
/**
 * Whose view; the side to move comes first. A network of one view has White's alone.
 */
side: Side,
/**
 * Active features and those that the last move removed.
 */
features: Array<SeenFeature>,
/**
 * Whether the last move made the whole accumulator be computed anew (the own king changed its context).
 */
refreshed: boolean,
/**
 * The sums, one a neuron.
 */
sums: Array<number>,
/**
 * What the first layer sees of them: as many as sums, or half of them where halves are multiplied.
 */
activations: Array<number>,
/**
 * The largest value a sum keeps: beyond it, and below zero, it is cut off.
 */
limit: number, };
