import { describe, expect, it } from 'vitest';
import { clockText, figurine, moveNumber, short, spoken } from './notation';
import { INITIAL_FEN, playLine, positionOf, readFen, readMove, uciOf } from './position';

describe('reading FEN', () => {
  it.each([
    ['', 'Enter a position'],
    ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1', 'placement'],
    ['8/8/8/8/8/8/8/8 w - - 0 1', 'no pieces'],
    ['4k3/8/8/8/8/8/8/8 w - - 0 1', 'exactly one king'],
    ['4k3/8/8/8/8/8/8/P3K3 w - - 0 1', 'pawn stands'],
    ['4k3/4R3/8/8/8/8/8/4K3 w - - 0 1', 'in check'],
    ['4k3/8/8/8/8/8/8/4K3 x - - 0 1', 'turn'],
  ])('says what is wrong with %j', (text, error) => {
    expect(readFen(text).error).toContain(error);
  });
});

describe('typed moves', () => {
  const start = positionOf(INITIAL_FEN);
  const typed = (fen: string, text: string) => {
    const position = positionOf(fen);
    const read = readMove(position, text);
    return read.value ? uciOf(position, read.value, false) : read.error;
  };

  it.each(['Nf3', 'nf3', 'g1f3', 'G1F3', '♘f3', 'Nf3!', 'Nf3+'])('reads %s', (text) => {
    expect(typed(INITIAL_FEN, text)).toBe('g1f3');
  });

  it.each(['O-O', '0-0', 'o-o', 'e1g1', 'e1h1'])('reads castling as %s', (text) => {
    expect(typed('4k3/8/8/8/8/8/8/4K2R w K - 0 1', text)).toBe('e1g1');
  });

  it.each(['a8=Q', 'a8Q', 'a8q', 'a7a8q'])('reads a promotion as %s', (text) => {
    expect(typed('4k3/P7/8/8/8/8/8/4K3 w - - 0 1', text)).toBe('a7a8q');
  });

  it('prefers a pawn for bxc3 and finds the bishop for Bxc3', () => {
    const fen = '4k3/8/8/8/1B6/2p5/1P6/4K3 w - - 0 1';
    expect(typed(fen, 'bxc3')).toBe('b2c3');
    expect(typed(fen, 'Bxc3')).toBe('b4c3');
  });

  it('refuses what is not legal', () => {
    expect(readMove(start, 'Ke2').error).toBe('Ke2 is not a legal move here.');
    expect(readMove(start, '').error).toContain('Type a move');
  });
});

describe('notation', () => {
  it('plays lines until a move is not legal', () => {
    expect(playLine(INITIAL_FEN, ['e2e4', 'e7e5', 'e4e5']).map((move) => move.san)).toEqual(['e4', 'e5']);
  });

  it('writes for eyes and ears', () => {
    expect(figurine('Nxf7+')).toBe('♘xf7+');
    expect(spoken('Nxf7+')).toBe('knight takes f7, check');
    expect(spoken('exd8=Q#')).toBe('e takes d8, becomes a queen, checkmate');
    expect(spoken('O-O-O')).toBe('castles queenside');
    expect([1, 2, 3].map(moveNumber)).toEqual(['1.', '1…', '2.']);
    expect([3_723_000, 309_000, 9_870, -5].map(clockText)).toEqual(['1:02:03', '5:09', '0:09.8', '0:00.0']);
    expect([950, 1_234_567, 12_345].map(short)).toEqual(['950', '1.2\u202fM', '12\u202fk']);
  });
});
