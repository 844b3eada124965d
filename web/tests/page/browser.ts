/** A browser for the tests, and what the tests of every page want to know. */
import axe from 'axe-core';
import { existsSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { CHROMIUM, launch } from './browser-program';
import { programPath, Server } from './server';
import { fillWorkspace } from './workspace';

/** Whether there is all that the tests need. */
export const ready = existsSync(CHROMIUM) && programPath() !== undefined;

/** A page that was opened, and what it complained about in its console. */
export interface Opened {
  page: Page;
  complaints: string[];
}

/** What a test may open. */
export interface View {
  width?: number;
  height?: number;
  dark?: boolean;
  touch?: boolean;
}

/** A server and a browser for all tests of a file; with something in the workspace folder if that is wanted. */
export function useStage(options: { filled?: boolean } = {}) {
  const server = new Server();
  let browser: Browser;
  const opened: BrowserContext[] = [];
  beforeAll(async () => {
    if (!ready) return;
    if (options.filled) fillWorkspace(server.workspace);
    await server.start();
    browser = await launch();
  });
  // A page that nobody looks at any more would still have its turns of the engine.
  afterEach(async () => {
    for (const context of opened.splice(0)) await context.close();
  });
  afterAll(async () => {
    await browser?.close();
    await server.end();
  });

  /** Opens an address in a window of its own, with nothing remembered. */
  async function open(path: string, view: View = {}): Promise<Opened> {
    const context = await browser.newContext({
      viewport: { width: view.width ?? 1280, height: view.height ?? 800 },
      colorScheme: view.dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
      hasTouch: view.touch ?? false,
    });
    opened.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${server.address}/#${path}`);
    return { page, complaints };
  }

  return { server, open };
}

/** The whole page keeps to the rules that axe can check. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as { axe: typeof import('axe-core') };
    const results = await checker.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
    });
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
  });
  expect(violations).toEqual([]);
}

/** Nothing sticks out to the right, neither of the page nor of a card. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const wide = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('.card')]
      .filter((element) => element.scrollWidth > element.clientWidth)
      .map((element) => `${element.tagName} ${element.className} ${element.getAttribute('aria-label') ?? ''}`),
  );
  expect(wide).toEqual([]);
}
