import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { INITIAL_FEN } from '../../src/chess/position';
import { expectAccessible, ready, useStage } from './browser';

/** What other programs write while the page looks on. */
describe.skipIf(!ready)('the workspace, live', () => {
  const { server, open } = useStage();

  it('shows a run while it learns', async () => {
    const folder = join(server.workspace, 'runs/first');
    const log = (event: object) => appendFileSync(join(folder, 'log.jsonl'), `${JSON.stringify(event)}\n`);
    const steps = (step: number, loss: number) =>
      log({ event: 'steps', step, positions: 16 * step, loss, rate: 0.001, result_share: 0, speed: 1000 });
    const { page, complaints } = await open('/runs');
    await page.getByText('No run yet').waitFor();
    mkdirSync(folder, { recursive: true });
    const network = { name: 'first', network: 'n', device: 'cpu', parameters: 10, samples: 100 };
    log({ event: 'start', ...network, step: 0, steps: 50, batch: 16 });
    steps(5, 0.25);
    await page.getByRole('heading', { name: 'first' }).waitFor();
    await page.getByText('step 5 of 50').waitFor();
    const curve = page.getByRole('img', { name: /^Loss over/ });
    expect(await curve.getAttribute('aria-label')).toContain('1 points');
    steps(10, 0.125);
    await page.getByText('step 10 of 50').waitFor();
    expect(await curve.getAttribute('aria-label')).toContain('2 points');
    await page.getByText('loss 0.12500').waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows a match while it is played: table, finished games, and those on the boards', async () => {
    const folder = join(server.workspace, 'matches/first');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'match.json'), JSON.stringify({ 'player 1': 'new = a', 'player 2': 'old = b' }));
    writeFileSync(join(folder, 'games.jsonl'), '');
    const onBoard = (moves: string[]) =>
      writeFileSync(
        join(folder, 'live.json'),
        JSON.stringify([{ white: 'new', black: 'old', start: INITIAL_FEN, moves, scores: moves.map(() => 12) }]),
      );
    onBoard(['f2f3', 'e7e5']);
    const { page, complaints } = await open('/matches');
    const boards = page.getByRole('region', { name: 'Games in progress' });
    await boards.getByText('move 1').waitFor();
    onBoard(['f2f3', 'e7e5', 'g2g4']);
    await boards.getByText('move 2').waitFor();
    expect(await boards.getByRole('slider').inputValue()).toBe('3');
    await expectAccessible(page);
    const moves = ['f2f3', 'e7e5', 'g2g4', 'd8h4'].map((uci) => ({ m: uci, s: 15, d: 3, n: 100, t: 0.1 }));
    const ids = { encounter: 0, turn: 0, leg: 0, round: 0, white: 0, black: 1, opening: 0, begun: 1, seconds: 1 };
    const game = { ...ids, start: INITIAL_FEN, moves, result: '0-1', end: { kind: 'checkmate' } };
    appendFileSync(join(folder, 'games.jsonl'), `${JSON.stringify(game)}\n`);
    writeFileSync(join(folder, 'live.json'), '[]');
    await page.getByRole('heading', { name: 'Latest games' }).waitFor();
    await boards.waitFor({ state: 'detached' });
    const row = page.getByRole('row').filter({ hasText: 'old' });
    expect(await row.getByRole('cell').allTextContents()).toContain('100.0\u202f%');
    expect(complaints).toEqual([]);
  });
});
