/** The 960 arrangements of the first rank, by their usual numbers. */

const KNIGHTS: [number, number][] = [];
for (let first = 0; first < 4; first++)
  for (let second = first + 1; second < 5; second++) KNIGHTS.push([first, second]);

/** The pieces from a to h for a number from 0 to 959; 518 is the usual one. */
export function backRank(number: number): string {
  const rank: (string | undefined)[] = new Array<string | undefined>(8).fill(undefined);
  const putOnFree = (index: number, piece: string) => {
    const free = [...rank.keys()].filter((square) => rank[square] === undefined);
    rank[free[index] ?? 0] = piece;
  };
  rank[(number % 4) * 2 + 1] = 'B';
  rank[(Math.floor(number / 4) % 4) * 2] = 'B';
  putOnFree(Math.floor(number / 16) % 6, 'Q');
  const [first, second] = KNIGHTS[Math.floor(number / 96)] ?? [0, 1];
  putOnFree(second, 'N');
  putOnFree(first, 'N');
  for (const piece of ['R', 'K', 'R']) putOnFree(0, piece);
  return rank.join('');
}

/** The start of a game of Chess960. */
export function chess960Fen(number: number): string {
  const rank = backRank(number);
  const files = [...rank].flatMap((piece, file) => (piece === 'R' ? ['ABCDEFGH'[file]] : [])).reverse();
  const rights = files.join('');
  return `${rank.toLowerCase()}/pppppppp/8/8/8/8/PPPPPPPP/${rank} w ${rights}${rights.toLowerCase()} - 0 1`;
}
