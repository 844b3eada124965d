import { Chess } from 'chessops/chess';
import { makeSan, parseSan } from 'chessops/san';
import type { NormalMove } from 'chessops/types';
import { describe, expect, it } from 'vitest';
import { expectAccessible, ready, useStage } from './browser';
import { begin, click, drag, moves, touch, type, waitForMoves } from './hands';

/** The legal moves of a position, in an order that is always the same. */
function legalMoves(position: Chess): string[] {
  const found: string[] = [];
  for (const [from, targets] of position.allDests()) {
    for (const to of targets) {
      const move: NormalMove = { from, to };
      if (position.board.getRole(from) === 'pawn' && (to < 8 || to > 55)) move.promotion = 'queen';
      found.push(makeSan(position, move));
    }
  }
  return found.sort();
}

describe.skipIf(!ready)('play', () => {
  const { server, open } = useStage();

  it('plays a whole game against the engine', { timeout: 240_000 }, async () => {
    const { page, complaints } = await open('/play');
    await page.getByLabel('Full strength').check();
    await begin(page);
    const position = Chess.default();
    for (let ply = 0; ; ply += 2) {
      const choices = legalMoves(position);
      // A simple stride over the sorted moves: a bad player, but always the same one.
      const choice = choices[(ply * 7) % choices.length]!;
      await type(page, choice);
      position.play(parseSan(position, choice)!);
      if (position.isEnd()) break;
      await page.waitForFunction(
        (wanted) =>
          document.querySelectorAll('.moves .pair .move').length >= wanted ||
          /wins|Draw/.test(document.querySelector('main h2')?.textContent ?? ''),
        ply + 2,
      );
      const played = await moves(page);
      if (played.length < ply + 2) break;
      position.play(parseSan(position, played[ply + 1]!)!);
      if (position.isEnd()) break;
    }
    await page.getByRole('heading', { name: /wins|Draw/ }).waitFor();
    const heading = await page.locator('main h2').first().textContent();
    expect(heading).toMatch(/Black wins by checkmate|Draw/);
    expect((await moves(page)).length).toBeGreaterThan(4);
    expect(complaints).toEqual([]);
  });

  it('promotes with a choice of piece', async () => {
    const { page } = await open('/play');
    await begin(page, { side: 'Both', fen: '7k/P7/8/8/8/8/8/K7 w - - 0 1' });
    await click(page, 'a7', 'a8');
    await page.getByRole('dialog', { name: 'Choose a piece' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    expect(await moves(page)).toEqual([]);
    await click(page, 'a7', 'a8');
    await page.getByRole('button', { name: 'knight' }).click();
    await waitForMoves(page, 1);
    expect(await moves(page)).toEqual(['a8=N']);
  });

  it('castles, both by the king’s steps and onto the rook', async () => {
    const { page } = await open('/play');
    await begin(page, { side: 'Both', fen: 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' });
    await drag(page, 'e1', 'g1');
    await waitForMoves(page, 1);
    await click(page, 'e8', 'a8');
    await waitForMoves(page, 2);
    expect(await moves(page)).toEqual(['O-O', 'O-O-O']);
  });

  it('captures en passant', async () => {
    const { page } = await open('/play');
    await begin(page, { side: 'Both', fen: '4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1' });
    await click(page, 'd7', 'd5');
    await waitForMoves(page, 1);
    await click(page, 'e5', 'd6');
    await waitForMoves(page, 2);
    expect(await moves(page)).toEqual(['d5', 'exd6']);
    expect(await page.locator('cg-board piece.black.pawn').count()).toBe(0);
  });

  it('is played by touch: taps and drawn fingers, also on a phone', async () => {
    const { page, complaints } = await open('/play', { touch: true, width: 360, height: 740 });
    await begin(page, { side: 'Both' });
    await page.getByRole('heading', { name: 'Your move' }).waitFor();
    // The form was scrolled down to its button; now the board is what counts.
    expect((await page.locator('cg-board').boundingBox())?.y).toBeGreaterThan(0);
    await touch(page, 'e2', 'e4', 'tap');
    await waitForMoves(page, 1);
    await touch(page, 'd7', 'd5', 'draw');
    await waitForMoves(page, 2);
    await touch(page, 'e4', 'd5', 'draw');
    await waitForMoves(page, 3);
    expect(await moves(page)).toEqual(['e4', 'd5', 'exd5']);
    expect(complaints).toEqual([]);
  });

  it('goes on from a game in PGN, and says at the field what is wrong with one', async () => {
    const { page } = await open('/play');
    await begin(page, { side: 'Black', pgn: '1. e4 e5 2. Nf6' });
    const field = page.getByLabel('PGN');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('#start-error').textContent()).toContain('2. Nf6 is not a legal move');
    await field.fill('1. e4 e5 2. Nf3 (2. f4) *');
    // The board shows where the game would go on, from the side that was chosen.
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLElement & { cgKey?: string }>('cg-board piece.white.knight')].some(
        ({ cgKey }) => cgKey === 'f3',
      ),
    );
    expect(await page.locator('.cg-wrap.orientation-black').count()).toBe(1);
    await page.locator('main form button.primary').click();
    await type(page, 'Nc6');
    await waitForMoves(page, 5);
    expect((await moves(page)).slice(0, 4)).toEqual(['e4', 'e5', 'Nf3', 'Nc6']);
  });

  it('plays on from a position that was analysed', async () => {
    const { page } = await open('/analyse');
    for (const move of ['d4', 'd5']) await type(page, move);
    await page.getByRole('button', { name: 'Play on' }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await waitForMoves(page, 2);
    await type(page, 'c4');
    await waitForMoves(page, 4);
    expect((await moves(page)).slice(0, 3)).toEqual(['d4', 'd5', 'c4']);
  });

  it('runs clocks, and lets a flag fall', async () => {
    const { page } = await open('/play');
    await page.getByLabel('Clock').selectOption('own');
    await page.getByLabel('Minutes').fill('0.1');
    await page.getByLabel('Seconds a move').fill('0');
    await begin(page);
    await type(page, 'e4');
    await waitForMoves(page, 2);
    expect(await page.getByRole('timer').count()).toBe(2);
    await page.getByRole('heading', { name: 'Black wins on time' }).waitFor({ timeout: 15_000 });
  });

  it('is silent until sounds are chosen', async () => {
    const { page } = await open('/play');
    await page.evaluate(() => {
      const heard = { count: 0 };
      const begin = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (when) {
        heard.count++;
        begin.call(this, when);
      };
      Object.assign(globalThis, { heard });
    });
    const heard = () => page.evaluate(() => (globalThis as unknown as { heard: { count: number } }).heard.count);
    await begin(page, { side: 'Both' });
    await type(page, 'e4');
    await waitForMoves(page, 1);
    expect(await heard()).toBe(0);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Sounds').check();
    await page.getByRole('button', { name: 'Done' }).click();
    const before = await heard();
    await type(page, 'e5');
    await waitForMoves(page, 2);
    expect(await heard()).toBeGreaterThan(before);
  });

  it('says at the field what is wrong with a position', async () => {
    const { page } = await open('/play');
    await begin(page, { fen: '8/8/8/8/8/8/8/8 w - - 0 1' });
    const field = page.getByLabel('FEN', { exact: true });
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    const described = await field.getAttribute('aria-describedby');
    expect(await page.locator(`#${described}`).textContent()).toContain('There are no pieces');
    await expectAccessible(page);
  });

  it('plays Chess960', async () => {
    const { page } = await open('/play');
    await page.getByLabel('Start', { exact: true }).selectOption('chess960');
    await page.getByLabel('Arrangement').fill('0');
    await begin(page, { side: 'Both' });
    expect(await page.locator('cg-board piece.white.bishop').count()).toBe(2);
    await type(page, 'Nf3');
    await waitForMoves(page, 1);
  });

  it('castles in Chess960, where the king takes his rook, and the engine goes on', async () => {
    const { page, complaints } = await open('/play');
    await begin(page, { fen: 'rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1' });
    await click(page, 'b1', 'e1');
    await waitForMoves(page, 2);
    expect((await moves(page))[0]).toBe('O-O');
    await page.getByRole('button', { name: 'PGN, FEN' }).click();
    const pgn = await page.getByLabel('Game (PGN)').inputValue();
    expect(pgn).toContain('[Variant "Chess960"]');
    expect(pgn).toMatch(/1\. O-O \S+/);
    expect(await page.getByLabel('Position (FEN)').inputValue()).toMatch(/R4RK1 w/);
    expect(complaints).toEqual([]);
  });

  it('takes back, hints, declines or takes a draw, resigns', async () => {
    const { page, complaints } = await open('/play');
    await begin(page);
    await type(page, 'e4');
    await waitForMoves(page, 2);
    await page.getByRole('button', { name: 'Take back' }).click();
    expect(await moves(page)).toEqual([]);
    await page.getByRole('button', { name: 'Hint' }).click();
    await page.locator('.cg-shapes line').first().waitFor({ state: 'attached' });
    await page.getByText(/^Try .+\.$/).waitFor();
    await type(page, 'd4');
    await waitForMoves(page, 2);
    // A hint for a position that one has gone back to; elsewhere it is not shown.
    await page.getByRole('button', { name: 'To the start' }).click();
    await page.getByRole('button', { name: 'Hint' }).click();
    await page.locator('.cg-shapes line').first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'To the end' }).click();
    await page.locator('.cg-shapes line').first().waitFor({ state: 'detached' });
    const played = await moves(page);
    await page.getByRole('button', { name: 'Offer draw' }).click();
    await page.waitForFunction(
      () =>
        (document.querySelector('main .notice')?.textContent ?? '') !== '' ||
        /Draw/.test(document.querySelector('main h2')?.textContent ?? ''),
    );
    // Nobody takes a draw at the second move; a game that goes on can be resigned, and that can be taken back.
    await page.getByText('hardly begun').waitFor();
    const resign = page.getByRole('button', { name: 'Resign' });
    await resign.click();
    await page.getByRole('heading', { name: 'Black wins by resignation' }).waitFor();
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByRole('heading', { name: 'Your move' }).waitFor();
    expect(await moves(page)).toEqual(played);
    expect(complaints).toEqual([]);
  });

  it('goes on after a reload in the middle', async () => {
    const { page } = await open('/play');
    await begin(page);
    await type(page, 'e4');
    await waitForMoves(page, 2);
    await page.waitForURL(/#\/play\/.+/);
    const before = await moves(page);
    await page.waitForTimeout(300);
    await page.reload();
    await waitForMoves(page, 2);
    expect(await moves(page)).toEqual(before);
    await type(page, 'a3');
    await waitForMoves(page, 4);
  });

  it('says so when the server is killed, and goes on when it is back', async () => {
    const { page } = await open('/play');
    await begin(page);
    await type(page, 'e4');
    await waitForMoves(page, 2);
    await page.waitForTimeout(300);
    await server.kill();
    await page.getByText('The server is gone').waitFor();
    await type(page, 'a3');
    await page.getByText('not saved yet').waitFor();
    await server.start();
    await page.getByText('The server is gone').waitFor({ state: 'detached' });
    await waitForMoves(page, 4);
    await page.getByText('not saved yet').waitFor({ state: 'detached' });
    await page.waitForTimeout(500);
    await page.reload();
    await waitForMoves(page, 4);
    expect((await moves(page))[2]).toBe('a3');
  });

  it('is played by keyboard alone', async () => {
    const { page } = await open('/play');
    await page.locator('select#opponent option').first().waitFor({ state: 'attached' });
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement?.matches('main form button.primary'))) break;
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your move' }).waitFor();
    await page.keyboard.press('Home');
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement?.matches('.board'))) break;
    }
    // The cursor begins on e2: pick up the pawn, two squares on, put it down.
    for (const key of ['Enter', 'ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    await waitForMoves(page, 2);
    expect((await moves(page))[0]).toBe('e4');
    expect(await page.locator('[aria-live=polite]').first().textContent()).toMatch(/Black: /);
  });

  it('lets two engines play each other, and pauses', async () => {
    const { page } = await open('/play');
    await begin(page, { side: 'Watch' });
    await waitForMoves(page, 3);
    await page.getByRole('button', { name: 'Pause' }).click();
    const paused = (await moves(page)).length;
    await page.waitForTimeout(1500);
    expect((await moves(page)).length).toBeLessThanOrEqual(paused + 1);
    await page.getByRole('button', { name: 'Go on' }).click();
    await waitForMoves(page, paused + 2);
  });

  it('explains a move, each sentence with its evidence', async () => {
    const { page } = await open('/play');
    await begin(page, { side: 'Both', fen: '4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1' });
    await type(page, 'Rxd5');
    await page.getByRole('button', { name: /^Why/ }).click();
    const sentence = page.locator('.why details').first();
    // Ten searches, in a debug build beside other tests.
    await sentence.waitFor({ timeout: 50_000 });
    await sentence.locator('summary').click();
    expect(await sentence.locator('.evidence').isVisible()).toBe(true);
    // What is listed as changed, and everything else, is the change of the evaluation.
    const changes = page.locator('.why details').filter({ hasText: 'Before any search' });
    await changes.locator('summary').click();
    const column = await changes.locator('tbody td:last-child').allTextContents();
    const [total, ...parts] = column.map((text) => Number(text.replace('−', '-'))).reverse();
    const sum = parts.reduce((one, other) => one + other, 0);
    expect(Math.abs(sum - total!)).toBeLessThan(0.005 * column.length);
    await expectAccessible(page);
  });
});
