/** Fills a workspace folder as a person would: a training run with its network, and a match. All of it tiny. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programPath } from './server';

const GAME = `[White "Anderssen"]
[Black "Kieseritzky"]
[Result "1-0"]

1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6
11. Rg1 cxb5 12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6 Bxg1 19. e5 Qxa1+
20. Ke2 Na6 21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0
`;

const RECIPE = `name = "tiny"
description = "A network of few neurons, which has seen one game"
seed = 1
network = "inputs = half(any.color * any.role * any.square, king_on_abcd) trunk = accumulate 32 pairwise -> dense 8 clipped heads = value numbers = accumulator i16*255, dense i8*64, output i8*9600/16"

[data]
train = ["game.kbz"]
validation = ["game.kbz"]

[training]
positions = 40_000
epoch = 4_000
batch = 512
`;

/** Trains in `runs/tiny`, puts the network on the shelf as `nets/tiny.net`, and plays in `matches/tiny`. */
export function fillWorkspace(workspace: string): void {
  const program = programPath();
  if (!program) return;
  const lab = (...words: string[]) => execFileSync(program, words, { cwd: workspace, stdio: 'ignore' });
  writeFileSync(join(workspace, 'game.pgn'), GAME);
  writeFileSync(join(workspace, 'tiny.toml'), RECIPE);
  lab('data', 'import', 'game.pgn', '--output', 'game.kbz');
  lab('train', 'tiny.toml', '--out', 'runs/tiny', '--json');
  mkdirSync(join(workspace, 'nets'), { recursive: true });
  copyFileSync(join(workspace, 'runs/tiny/tiny.net'), join(workspace, 'nets/tiny.net'));
  const engine = join(dirname(program), 'kiebitz');
  if (!existsSync(engine)) return;
  const player = (nodes: number) => `${engine},name=${nodes} nodes,nodes=${nodes}`;
  lab('match', '--engine', player(400), '--engine', player(100), '--games', '4', '--folder', 'matches/tiny');
}
