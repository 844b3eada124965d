/** Writes `licences.txt` into a build: the texts of the packages whose code is in it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** The folder and name of the package that a module belongs to. */
function packageOf(id: string): { folder: string; name: string } | undefined {
  const found = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id.replace(/^\0/, ''));
  return found ? { folder: found[1]!, name: found[2]! } : undefined;
}

function textOf(folder: string): string {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name));
  return file ? readFileSync(join(folder, file), 'utf8').trim() : '(The package comes without a text of its licence.)';
}

export function licences(): Plugin {
  return {
    name: 'kiebitz-licences',
    generateBundle() {
      const packages = new Map<string, string>();
      for (const id of this.getModuleIds()) {
        const found = packageOf(id);
        if (found && existsSync(join(found.folder, 'package.json'))) packages.set(found.name, found.folder);
      }
      const parts = [...packages].sort().map(([name, folder]) => {
        const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
          string,
          string
        >;
        return `${name} ${version} (${license})\n\n${textOf(folder)}\n`;
      });
      const head = 'Kiebitz is free software under the GPL, version 3 or later. This page contains code of others:\n\n';
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source: head + parts.join(`\n${'-'.repeat(80)}\n\n`) });
    },
  };
}
