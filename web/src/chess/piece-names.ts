/** Pieces as FEN writes them, for eyes and ears. */

const SIGNS: Record<string, string> = {
  K: '♔', Q: '♕', R: '♖', B: '♗', N: '♘', P: '♙',
  k: '♚', q: '♛', r: '♜', b: '♝', n: '♞', p: '♟',
}; // prettier-ignore

const KINDS: Record<string, string> = { k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };

export const pieceSign = (piece: string): string => SIGNS[piece] ?? piece;

/** "white knight". */
export const pieceWords = (piece: string): string =>
  `${piece === piece.toUpperCase() ? 'white' : 'black'} ${KINDS[piece.toLowerCase()] ?? piece}`;

/** "own knight", for boards that one side looks at. */
export const ownPieceWords = (piece: string): string =>
  `${piece === piece.toUpperCase() ? 'own' : 'their'} ${KINDS[piece.toLowerCase()] ?? piece}`;
