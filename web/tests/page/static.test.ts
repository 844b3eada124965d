import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './browser';
import { CHROMIUM, launch } from './browser-program';
import { begin, moves, type, waitForMoves } from './hands';

const DIST = resolve(import.meta.dirname, '../../dist-static');
const KINDS: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** Any web server, with the page in a folder of its own. */
const host = (): HttpServer =>
  createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*$/, '').replace(/^\/some\/folder\//, '');
    const file = join(DIST, path || 'index.html');
    if (!file.startsWith(DIST) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-type', KINDS[extname(file)] ?? 'application/octet-stream');
    createReadStream(file).pipe(response);
  });

describe.skipIf(!existsSync(CHROMIUM) || !existsSync(join(DIST, 'index.html')))('the page without a server', () => {
  const server = host();
  let browser: Browser;
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    server.close();
  });

  async function open(path: string) {
    const page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    const complaints: string[] = [];
    // All that it needs lies in its folder.
    const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/folder/`;
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(home)) complaints.push(request.url());
    });
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/some/folder/#${path}`);
    return { page, complaints };
  }

  it('plays, and keeps the game in the browser', async () => {
    const { page, complaints } = await open('/play');
    await page.locator('#opponent option').first().waitFor({ state: 'attached' });
    expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual([
      'Play',
      'Analyse',
      'Look inside',
    ]);
    await begin(page);
    await type(page, 'e4');
    await waitForMoves(page, 2);
    const before = await moves(page);
    await page.reload();
    await waitForMoves(page, 2);
    expect(await moves(page)).toEqual(before);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  it('analyses and stays responsive', async () => {
    const { page, complaints } = await open('/analyse');
    await page.waitForFunction(() => /depth ([5-9]|\d\d)/.test(document.querySelector('.words')?.textContent ?? ''));
    await type(page, 'e4');
    await page.waitForFunction(() => /^1…/.test(document.querySelector('.lines .soft')?.textContent ?? ''));
    expect(complaints).toEqual([]);
  });

  it('explains a move, and reviews a game', { timeout: 180_000 }, async () => {
    const { page, complaints } = await open('/analyse');
    for (const move of ['f3', 'e5', 'g4', 'Qh4']) await type(page, move);
    await page.getByRole('button', { name: /^Why/ }).click();
    await page.locator('.why details').first().waitFor({ timeout: 60_000 });
    expect(await page.locator('.why summary').first().textContent()).toContain('ends the game');
    await page.getByRole('button', { name: 'Review the game' }).click();
    await page.locator('.mistakes li').filter({ hasText: 'blunder' }).first().waitFor({ timeout: 120_000 });
    const link = page.getByRole('link', { name: 'Save the annotated PGN' });
    expect(decodeURIComponent((await link.getAttribute('href')) ?? '')).toMatch(/2\. g4 \$4/);
    expect(complaints).toEqual([]);
  });

  it('looks inside the network that is part of it', async () => {
    const { page, complaints } = await open('/inside');
    await type(page, 'Nf3');
    await page.getByRole('tab', { name: 'Features' }).click();
    await page.locator('tr.added').waitFor();
    const shown = await page.locator('.values b').first().textContent();
    expect(await page.locator('tr.sum td.number').textContent()).toBe(shown);
    await page.getByRole('tab', { name: 'Neurons' }).click();
    await page.getByRole('img', { name: 'Weights for own knight' }).waitFor();
    await page.getByRole('tab', { name: 'Layers' }).click();
    await page.getByRole('heading', { name: 'output', exact: false }).waitFor();
    await page.getByRole('tab', { name: 'Terms' }).click();
    await page.getByText('of the middle game is left').waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });
});
