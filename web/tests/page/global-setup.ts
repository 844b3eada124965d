/** Says in one line why tests of the page are skipped, where something they need is missing. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CHROMIUM } from './browser-program';
import { programPath } from './server';

export default function setup(): void {
  if (!existsSync(CHROMIUM)) {
    console.log(`skipped: the page in a browser (no ${CHROMIUM})`);
    return;
  }
  if (!programPath()) console.log('skipped: the page against a server (kiebitz-lab is not built)');
  if (!existsSync(resolve(import.meta.dirname, '../../dist-static/index.html'))) {
    console.log('skipped: the page without a server (make web-static was not run)');
  }
}
