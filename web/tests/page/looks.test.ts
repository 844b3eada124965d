import { describe, expect, it } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, ready, useStage } from './browser';
import { pageWeight } from './page-weight';

const PAGES = ['/play', '/analyse', '/inside', '/networks', '/runs', '/matches'];

describe.skipIf(!ready)('every page', () => {
  const { open } = useStage({ filled: true });

  for (const path of PAGES) {
    for (const dark of [false, true]) {
      it(`${path} is in order, wide and narrow, ${dark ? 'dark' : 'light'}`, async () => {
        const { page, complaints } = await open(path, { dark });
        await page.locator('h1').waitFor({ state: 'attached' });
        await page.waitForTimeout(700);
        expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe(dark ? 'dark' : 'light');
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
        await page.setViewportSize({ width: 360, height: 740 });
        await page.waitForTimeout(200);
        await expectNoSidewaysScroll(page);
        await expectAccessible(page);
        // Also where the names of the pages are wider than the screen, the open one is in sight.
        await page.reload();
        await page.locator('h1').waitFor({ state: 'attached' });
        const here = await page.locator('nav a.here').boundingBox();
        expect((here?.x ?? -1) >= 0 && (here?.x ?? 0) + (here?.width ?? 0) <= 360).toBe(true);
        expect(complaints).toEqual([]);
      });
    }
  }

  it('draws a network, its certificate and the curves of its run', async () => {
    const { page } = await open('/networks/tiny.net');
    await page.getByRole('heading', { name: 'tiny.net' }).waitFor();
    await page.getByText('proved free of overflow').waitFor();
    expect(await page.locator('svg rect').count()).toBeGreaterThanOrEqual(5);
    await page.getByRole('link', { name: /^kiebitz / }).click();
    await page.getByText('built into the program').waitFor();
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.locator('.uplot canvas').waitFor();
    await page.getByText('finished').first().waitFor();
  });

  it('keeps what was chosen in the settings', async () => {
    const { page } = await open('/play');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Page', { exact: true }).selectOption('dark');
    await page.getByLabel('Pieces').selectOption('kiebitz');
    await page.getByLabel('Wood').check({ force: true });
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    const root = await page.evaluate(() => ({ ...document.documentElement.dataset }));
    expect(root).toMatchObject({ theme: 'dark', pieces: 'kiebitz', board: 'wood' });
  });

  it('paints within a second and weighs less than 400 kB', async () => {
    const { page } = await open('/play');
    await page.locator('cg-board piece').first().waitFor();
    // The browser writes its paints down a moment after they were seen.
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
    const paint = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
    );
    expect(paint).toBeLessThan(1000);
    expect(pageWeight()).toBeLessThan(400_000);
  });

  it('leads from unknown addresses to the board', async () => {
    const { page } = await open('/nowhere/at/all');
    await page.locator('cg-board').waitFor();
    expect(page.url()).toContain('#/play');
  });
});
