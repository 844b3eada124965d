/** What the built page weighs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const DIST = resolve(import.meta.dirname, '../../dist');

/** Files that hold sets of pieces, by name or in an address. */
export const PIECES = /(^|\/)(classic|drawn)-/;

/** The compressed size of everything that was built, without pieces, in bytes. */
export function pageWeight(): number {
  const files = readdirSync(DIST, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .filter(({ name }) => !PIECES.test(name))
    .reduce((sum, { parentPath, name }) => sum + gzipSync(readFileSync(join(parentPath, name))).length, 0);
}
