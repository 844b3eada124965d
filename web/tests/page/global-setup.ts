/** Says in one line why the tests of the page are skipped, where something they need is missing. */
import { existsSync } from 'node:fs';
import { CHROMIUM } from './browser-program';
import { programPath } from './server';

export default function setup(): void {
  if (!existsSync(CHROMIUM)) console.log(`skipped: the page in a browser (no ${CHROMIUM})`);
  else if (!programPath()) console.log('skipped: the page in a browser (kiebitz-lab is not built)');
}
