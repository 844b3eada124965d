import { describe, expect, it } from 'vitest';
import { clockText, figurineText, short, spoken } from './notation';
import { pawns, scoreText } from './score';

describe('what a person reads', () => {
  it.each([
    [
      'It threatens Nxe4: if White passed, that would win a pawn.',
      'It threatens ♘xe4: if White passed, that would win a pawn.',
    ],
    ['Kiebitz: Qb8+ Nxb8 Rd8#, R1a3, e8=Q+ and O-O.', 'Kiebitz: ♕b8+ ♘xb8 ♖d8#, ♖1a3, e8=♕+ and O-O.'],
    [
      'Before any search the network goes from +0.46 to 0.00.',
      'Before any search the network goes from +0.46 to 0.00.',
    ],
  ])('has figurines where moves are: %j', (text, written) => expect(figurineText(text)).toBe(written));

  it('has no sign where a number is rounded to nothing', () => {
    expect([pawns(-0.4), pawns(0.4), pawns(-1), pawns(0.4, 3)]).toEqual(['0.00', '0.00', '−0.01', '+0.004']);
    expect(scoreText({ kind: 'mate', value: -3 })).toBe('#−3');
  });

  it('is said in words', () => {
    expect(spoken('Nxf7+')).toBe('knight takes f7, check');
    expect(spoken('exd8=Q#')).toBe('e takes d8, becomes a queen, checkmate');
    expect([clockText(9_950), clockText(309_000), short(1_234_567)]).toEqual(['0:09.9', '5:09', '1.2\u202fM']);
  });
});
