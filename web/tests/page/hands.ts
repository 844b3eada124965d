/** Hands on the board: what a person does with mouse and keyboard. */
import type { Page } from 'playwright-core';

/** The middle of a square on the screen; White sits below unless told otherwise. */
export async function squareAt(page: Page, square: string, below: 'white' | 'black' = 'white') {
  const board = page.locator('cg-board').first();
  await board.waitFor();
  const box = await board.boundingBox();
  if (!box) throw new Error('there is no board');
  const file = square.charCodeAt(0) - 97;
  const rank = Number(square[1]) - 1;
  const [column, row] = below === 'white' ? [file, 7 - rank] : [7 - file, rank];
  return { x: box.x + ((column + 0.5) * box.width) / 8, y: box.y + ((row + 0.5) * box.height) / 8 };
}

/** Moves a piece by two clicks. */
export async function click(page: Page, from: string, to: string, below: 'white' | 'black' = 'white'): Promise<void> {
  for (const square of [from, to]) {
    const { x, y } = await squareAt(page, square, below);
    await page.mouse.click(x, y);
  }
}

/** Moves a piece by dragging it. */
export async function drag(page: Page, from: string, to: string): Promise<void> {
  const [start, end] = [await squareAt(page, from), await squareAt(page, to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 });
  await page.mouse.move(end.x, end.y, { steps: 4 });
  await page.mouse.up();
}

/** Moves a piece by tapping, or by drawing a finger over the board. */
export async function touch(page: Page, from: string, to: string, how: 'tap' | 'draw'): Promise<void> {
  const [start, end] = [await squareAt(page, from), await squareAt(page, to)];
  if (how === 'tap') {
    await page.touchscreen.tap(start.x, start.y);
    await page.touchscreen.tap(end.x, end.y);
    return;
  }
  const fingers = await page.context().newCDPSession(page);
  const at = (type: 'touchStart' | 'touchMove', { x, y }: { x: number; y: number }) =>
    fingers.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x, y }] });
  await at('touchStart', start);
  await at('touchMove', { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 });
  await at('touchMove', end);
  await page.waitForTimeout(50);
  await fingers.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** Types a move into the field. */
export async function type(page: Page, move: string): Promise<void> {
  const field = page.getByLabel('Type a move');
  await field.fill(move);
  await field.press('Enter');
}

/** The moves of the game in the list, main line only. */
export const moves = (page: Page): Promise<string[]> =>
  page
    .locator('.moves .pair .move')
    .evaluateAll((buttons) =>
      buttons.map((button) => (button.getAttribute('data-move') ?? '').replace(/^\d+(\.|…) /, '')),
    );

/** Waits until the list has so many moves. */
export async function waitForMoves(page: Page, count: number): Promise<void> {
  await page.waitForFunction((wanted) => document.querySelectorAll('.moves .pair .move').length >= wanted, count);
}

/** Begins a game against the hand-crafted engine, weak unless told otherwise. */
export async function begin(page: Page, choice: { side?: string; fen?: string; pgn?: string } = {}): Promise<void> {
  await page.getByRole('radio', { name: choice.side ?? 'White', exact: true }).check({ force: true });
  if (choice.fen) {
    await page.getByLabel('Start', { exact: true }).selectOption('fen');
    await page.getByLabel('FEN', { exact: true }).fill(choice.fen);
  }
  if (choice.pgn) {
    await page.getByLabel('Start', { exact: true }).selectOption('pgn');
    await page.getByLabel('PGN').fill(choice.pgn);
  }
  await page.locator('main form button.primary').click();
}
