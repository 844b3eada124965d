/** Whatever a trainer wrote down, flattened to names and values. */

import { grouped } from '../../chess/notation';

const MOST = 60;

/** Names with dots and values as text; long lists and texts are cut. */
export function factsOf(manifest: unknown, prefix = ''): [string, string][] {
  if (manifest === null || manifest === undefined) return [];
  if (typeof manifest !== 'object') return prefix ? [[prefix, written(manifest)]] : [];
  if (Array.isArray(manifest)) {
    return manifest.every((item) => typeof item !== 'object')
      ? [[prefix, cut(manifest.join(', '))]]
      : manifest.flatMap((item, index) => factsOf(item, `${prefix} ${index + 1}`.trim())).slice(0, MOST);
  }
  return Object.entries(manifest)
    .flatMap(([name, value]) => factsOf(value, prefix ? `${prefix}.${name}` : name))
    .map(([name, value]): [string, string] => [name.replaceAll('_', ' '), value])
    .slice(0, MOST);
}

const written = (value: unknown): string => {
  if (typeof value !== 'number') return cut(String(value));
  return Number.isInteger(value) && value >= 10_000 ? grouped(value) : String(Number(value.toPrecision(5)));
};

const cut = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)} …` : text);
