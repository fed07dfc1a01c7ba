/** What the public linters say of a packed package: whether its doors lead where they should, for all who come in. */

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { run } from './run.ts';

const publint = 'publint@0.3.25';
const typesLinter = '@arethetypeswrong/cli@0.18.5';

/** @param moduleDoors that are for `import` alone. @throws Error with what they complain of */
export function lintArchive(archive: string, moduleDoors: readonly string[] = []): void {
  const directory = path.dirname(archive);
  run(directory, 'npx', ['--yes', publint, archive, '--strict']);
  // TypeScript before 4.7 is not supported.
  const supported = ['--profile', 'node16', '--no-color', '--no-emoji'];
  const excluded = moduleDoors.length === 0 ? [] : ['--exclude-entrypoints', ...moduleDoors];
  run(directory, 'npx', ['--yes', `--package=${typesLinter}`, 'attw', archive, ...supported, ...excluded]);
}

/** @throws Error that names what a page of an installed package links to and the package lacks */
export function checkLinks(directory: string): void {
  // Third-party licenses link to files that were beside them.
  const pages = readdirSync(directory).filter((name) => name.endsWith('.md') && name !== 'THIRD-PARTY.md');
  const dead = pages.flatMap((page) =>
    [...readFileSync(path.join(directory, page), 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^(?:[a-z]+:|#)/.test(target) && !existsSync(path.join(directory, target)))
      .map((target) => `${page} → ${target}`),
  );
  if (dead.length > 0) throw new Error(`${directory} has dead links: ${dead.join(', ')}`);
}
