/**
 * Pictures of every page, light and dark, wide and narrow: `npm run screenshots`, into the
 * folder that KIEBITZ_PICTURES names.
 *
 * They are taken from a real server. KIEBITZ_WORKSPACE names a workspace folder with networks, runs and matches that are
 * worth a picture; without one a tiny workspace is made.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { ready } from './browser';
import { launch } from './browser-program';
import { moves, type, waitForMoves } from './hands';
import { Server } from './server';
import { fillWorkspace } from './workspace';

const GAME = `[White "Morphy"]
[Black "Duke of Brunswick and Count Isouard"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0`;

const VIEWS = [
  { name: 'light', width: 1280, height: 800, dark: false },
  { name: 'dark', width: 1280, height: 800, dark: true },
  { name: 'narrow', width: 360, height: 780, dark: false },
  { name: 'narrow-dark', width: 360, height: 780, dark: true },
];

async function photograph(page: Page, address: string, take: (name: string) => Promise<void>): Promise<void> {
  const go = (path: string) => page.goto(`${address}/#${path}`);
  await go('/play');
  await page.locator('#opponent option').first().waitFor({ state: 'attached' });
  await take('new-game');
  await page.locator('main form button.primary').click();
  for (const move of ['e4', 'Nf3', 'd4']) {
    const before = (await moves(page)).length;
    await page.locator('.entry input:enabled').waitFor();
    await type(page, move);
    await waitForMoves(page, before + 1);
  }
  await page.getByRole('heading', { name: 'Your move' }).waitFor();
  await page.getByRole('button', { name: /^Why/ }).click();
  await page.locator('.why details').first().waitFor({ timeout: 60_000 });
  await page.locator('.why summary').first().click();
  await take('play');
  await go('/analyse');
  await page.getByRole('button', { name: 'PGN, FEN' }).click();
  await page.getByLabel('Game (PGN)').fill(GAME);
  await page.getByRole('button', { name: 'Load' }).click();
  await page.getByRole('button', { name: 'Review the game' }).click();
  await page.getByRole('columnheader', { name: 'Accuracy' }).waitFor({ timeout: 300_000 });
  for (let presses = 0; presses < 19; presses++) await page.keyboard.press('ArrowRight');
  await page.locator('.lines .step').first().waitFor();
  await page.waitForTimeout(2500);
  await take('analyse');
  await go('/inside');
  await page.locator('tr.sum').waitFor();
  await take('inside-pieces');
  for (const tab of ['Features', 'Neurons', 'Layers', 'Terms']) {
    const button = page.getByRole('tab', { name: tab });
    if (!(await button.count())) continue;
    await button.click();
    await page.waitForTimeout(700);
    await take(`inside-${tab.toLowerCase()}`);
  }
  for (const path of ['networks', 'runs', 'matches']) {
    await go(`/${path}`);
    await page.waitForTimeout(1500);
    await take(path);
  }
}

const folder = process.env['KIEBITZ_PICTURES'] ?? 'screenshots';

describe.skipIf(!ready)('pictures', () => {
  const server = new Server(process.env['KIEBITZ_WORKSPACE']);
  let browser: Browser;

  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    if (!process.env['KIEBITZ_WORKSPACE']) fillWorkspace(server.workspace);
    await server.start();
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await server.end();
  });

  for (const { name, width, height, dark } of VIEWS) {
    it(name, { timeout: 600_000 }, async () => {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' });
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      await photograph(page, server.address, async (picture) => {
        // A pointer that rests somewhere would show what it points at.
        await page.mouse.move(0, 0);
        await page.evaluate(() => scrollTo(0, 0));
        await page.waitForTimeout(300);
        await page.screenshot({ path: join(folder, `${picture}-${name}.png`), fullPage: width < 640 });
      });
      await context.close();
    });
  }
});
