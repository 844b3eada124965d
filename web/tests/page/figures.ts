/**
 * What is promised of the page, measured: `make bench-page`, or `npm run figures` against a server that is built.
 *
 * Every figure is printed with its limit; a limit that is not kept fails. Wants a quiet machine.
 */
import { describe, expect, it } from 'vitest';
import type { ServerStatus } from '../../src/api/generated/messages';
import { ready, useStage } from './browser';
import { pageWeight, PIECES } from './page-weight';

const PAGES = 50;

const sorted = (values: number[]) => [...values].sort((one, other) => one - other);
const quantile = (values: number[], share: number) =>
  sorted(values)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? NaN;
const tell = (what: string, figure: string) => console.log(`${what.padEnd(66)} ${figure}`);
const ms = (value: number) => `${Math.round(value)} ms`;

/** An update of an analysis, in milliseconds since the page asked: when the engine made it, when the page heard and showed it. */
interface Seen {
  made: number;
  heard: number;
  shown: number;
}

/** Notes in the page when updates arrive and when the frame is drawn that shows them. */
function listenToUpdates(): void {
  const seen: Seen[] = [];
  let asked = 0;
  const Plain = WebSocket;
  class Listening extends Plain {
    constructor(address: string | URL) {
      super(address);
      this.addEventListener('message', ({ data }) => {
        const event = JSON.parse(String(data)) as { kind: string; update?: { elapsed_ms: number } };
        if (event.kind !== 'analysis' || !event.update) return;
        const [made, heard] = [event.update.elapsed_ms, performance.now() - asked];
        requestAnimationFrame(() => seen.push({ made, heard, shown: performance.now() - asked }));
      });
    }
    override send(text: string): void {
      if (text.includes('"kind":"analyse"')) asked = performance.now();
      super.send(text);
    }
  }
  Object.assign(globalThis, { WebSocket: Listening, seen });
}

/** Opens sessions from within a page and lets each of them analyse; what they do stays in `globalThis`. */
function openSessions(count: number): Promise<void> {
  const nodes = new Array<number>(count).fill(0);
  const sockets = Array.from({ length: count }, (_, index) => {
    const socket = new WebSocket(`ws://${location.host}/api/session`);
    socket.onmessage = ({ data }) => {
      const event = JSON.parse(String(data)) as { kind: string; update?: { nodes: number } };
      if (event.kind === 'analysis') nodes[index] = event.update?.nodes ?? 0;
      if (event.kind !== 'hello') return;
      const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
      const limit = { depth: null, nodes: null, time_ms: null };
      const ask = { lines: 1, threads: 1, hash_mebibytes: 16, opponent: 'handcrafted', limit };
      socket.send(JSON.stringify({ kind: 'analyse', id: 1, line: { start, moves: [] }, ...ask }));
    };
    return socket;
  });
  Object.assign(globalThis, { sockets, nodes });
  return Promise.all(sockets.map((socket) => new Promise((done) => (socket.onopen = done)))).then(() => undefined);
}

describe.skipIf(!ready)('figures', () => {
  const { server, open } = useStage();
  const status = async (): Promise<ServerStatus> =>
    (await (await fetch(`${server.address}/api/status`)).json()) as ServerStatus;
  const searches = async () => {
    const { running_searches, waiting_searches } = await status();
    return running_searches + waiting_searches;
  };
  /** Milliseconds until nobody searches. */
  async function untilIdle(): Promise<number> {
    const begun = performance.now();
    while ((await searches()) > 0 && performance.now() - begun < 10_000)
      await new Promise((done) => setTimeout(done, 5));
    return performance.now() - begun;
  }

  it('paints', async () => {
    const paints: number[] = [];
    for (let round = 0; round < 7; round++) {
      const { page } = await open('/play');
      await page.locator('cg-board piece').first().waitFor();
      paints.push(
        await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity),
      );
      await page.context().close();
    }
    tell(
      'first paint on localhost, nothing cached: median, worst of 7 (1000 ms)',
      `${ms(quantile(paints, 0.5))}, ${ms(quantile(paints, 1))}`,
    );
    expect(quantile(paints, 1)).toBeLessThan(1000);
  });

  it('weighs', async () => {
    const { page } = await open('/play');
    await page.locator('cg-board piece').first().waitFor();
    const files = await page.evaluate(() =>
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((entry) => ({
        name: entry.name,
        bytes: (entry as PerformanceResourceTiming).encodedBodySize,
      })),
    );
    const loaded = files.filter(({ name }) => !PIECES.test(name)).reduce((sum, { bytes }) => sum + bytes, 0);
    await page.context().close();
    const whole = pageWeight();
    tell('all pages compressed, without network and pieces (400 kB)', `${(whole / 1000).toFixed(0)} kB`);
    tell('of that sent before the board stands', `${(loaded / 1000).toFixed(0)} kB`);
    expect(whole).toBeLessThan(400_000);
  });

  it('hears of updates', async () => {
    const { page } = await open('/play');
    await page.addInitScript(listenToUpdates);
    await page.goto(`${server.address}/#/analyse`);
    await page.reload();
    await page.waitForTimeout(6000);
    const seen = await page.evaluate(() => (globalThis as unknown as { seen: Seen[] }).seen);
    await page.context().close();
    const heard = seen.map((one) => one.heard - one.made);
    const shown = seen.map((one) => one.shown - one.made);
    const both = (values: number[]) => `${ms(quantile(values, 0.5))}, ${ms(quantile(values, 1))}`;
    tell(`from the engine to the page: median, worst of ${seen.length} updates (100 ms)`, both(heard));
    tell('from the engine to the frame that shows it: median, worst', both(shown));
    expect(seen.length).toBeGreaterThan(5);
    expect(quantile(heard, 1)).toBeLessThan(100);
  });

  it('frees the search of a closed page', async () => {
    const { page } = await open('/analyse');
    await page.locator('.lines .step').first().waitFor();
    expect(await searches()).toBe(1);
    await page.context().close();
    const freed = await untilIdle();
    tell('a closed page: until its search has ended (at once)', ms(freed));
    expect(freed).toBeLessThan(500);
  });

  it(`serves ${PAGES} pages`, { timeout: 180_000 }, async () => {
    const slots = (await status()).limits.search_slots;
    const { page: crowd } = await open('/networks');
    const opened = performance.now();
    await crowd.evaluate(openSessions, PAGES);
    await crowd.waitForFunction(
      () => (globalThis as unknown as { nodes: number[] }).nodes.every((count) => count > 0),
      null,
      {
        timeout: 120_000,
      },
    );
    const turns = (performance.now() - opened) / 1000;
    const now = await status();
    tell(
      `${PAGES} analyses: sessions open, searches at a time (${slots} slots)`,
      `${now.connections}, ${now.running_searches}`,
    );
    expect(now.connections).toBeGreaterThanOrEqual(PAGES);
    expect(now.running_searches).toBeLessThanOrEqual(slots);
    tell('until each of them had a turn of 1.5 s', `${turns.toFixed(0)} s`);
    expect(turns).toBeLessThan((1.5 * PAGES) / slots + 15);
    const player = await open('/play');
    await player.page.getByRole('button', { name: 'Play', exact: true }).click();
    const begun = performance.now();
    await player.page.getByLabel('Type a move').fill('e4');
    await player.page.getByLabel('Type a move').press('Enter');
    await player.page.waitForFunction(() => document.querySelectorAll('.moves .pair .move').length >= 2);
    const answered = performance.now() - begun;
    await player.page.context().close();
    tell('a move beside them: until the engine’s answer stands on the board', ms(answered));
    expect(answered).toBeLessThan(2000);
    await crowd.context().close();
    const freed = await untilIdle();
    tell(`${PAGES} closed at once: until nobody searches`, ms(freed));
    expect(freed).toBeLessThan(1000);
  });
});
