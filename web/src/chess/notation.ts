/** Moves and values as a person reads them. */

const FIGURINE: Record<string, string> = { K: '♔', Q: '♕', R: '♖', B: '♗', N: '♘' };

/** SAN with figurines instead of letters. */
export const figurine = (san: string): string => san.replace(/[KQRBN]/g, (letter) => FIGURINE[letter] ?? letter);

/** A sentence whose moves are written with figurines; its other words keep their letters. */
export const figurineText = (text: string): string =>
  text.replace(/(?<![A-Za-z])[KQRBN][a-h]?[1-8]?x?[a-h][1-8]\b|=[QRBN]/g, figurine);

const PIECE_WORDS: Record<string, string> = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight' };

/** SAN in words, for announcements: `Nxf7+` is "knight takes f7, check". */
export function spoken(san: string): string {
  if (san.startsWith('O-O-O')) return `castles queenside${ending(san)}`;
  if (san.startsWith('O-O')) return `castles kingside${ending(san)}`;
  const promotion = /=([QRBN])/.exec(san)?.[1];
  const body = san.replace(/=[QRBN]/, '').replace(/[+#]/, '');
  const words = body
    .replace(/^[KQRBN]/, (letter) => `${PIECE_WORDS[letter]} `)
    .replace('x', ' takes ')
    .replace(/\s+/g, ' ')
    .trim();
  return words + (promotion ? `, becomes a ${PIECE_WORDS[promotion]}` : '') + ending(san);
}

const ending = (san: string): string => (san.endsWith('#') ? ', checkmate' : san.endsWith('+') ? ', check' : '');

/** `12.` before a white move, `12…` before a black one; the ply counts from 1 after White's first move. */
export const moveNumber = (ply: number): string => `${Math.ceil(ply / 2)}${ply % 2 === 1 ? '.' : '…'}`;

/** The signs of annotation that the page writes and shows. */
export const NAG_SIGNS: Record<number, string> = {
  1: '!', 2: '?', 3: '‼', 4: '⁇', 5: '⁉', 6: '⁈', 7: '□',
  10: '=', 13: '∞', 14: '⩲', 15: '⩱', 16: '±', 17: '∓', 18: '+−', 19: '−+',
}; // prettier-ignore

/** What the signs mean. */
export const NAG_WORDS: Record<number, string> = {
  1: 'good move',
  2: 'mistake',
  3: 'excellent move',
  4: 'blunder',
  5: 'interesting move',
  6: 'dubious move',
  7: 'only move',
  10: 'even',
  13: 'unclear',
  14: 'White is slightly better',
  15: 'Black is slightly better',
  16: 'White is better',
  17: 'Black is better',
  18: 'White is winning',
  19: 'Black is winning',
};

/** A count with thin spaces between thousands. */
export const grouped = (count: number): string =>
  Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, '\u202f');

/** A whole number with a minus sign that is as wide as a digit. */
export const minus = (value: number): string => String(value).replace('-', '−');

/** A count in short: 1 234 567 is 1.2 M. */
export function short(count: number): string {
  const sizes: [number, string][] = [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ];
  for (const [size, letter] of sizes) {
    if (count >= size) return `${(count / size).toFixed(count >= 10 * size ? 0 : 1)}\u202f${letter}`;
  }
  return String(Math.round(count));
}

/** A time on a clock: `1:05:09`, `5:09`, and tenths under ten seconds. */
export function clockText(milliseconds: number): string {
  const left = Math.max(0, milliseconds);
  if (left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const seconds = Math.floor(left / 1000);
  const tail = `${String(Math.floor(seconds / 60) % 60).padStart(seconds >= 3600 ? 2 : 1, '0')}:${String(seconds % 60).padStart(2, '0')}`;
  return seconds >= 3600 ? `${Math.floor(seconds / 3600)}:${tail}` : tail;
}
