/** Bun and Deno, which run what is published in the place of Node. */

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './run.ts';

export interface Runtime {
  readonly name: string;
  /** The command that runs a script, to which its path and arguments are appended. */
  readonly script: readonly string[];
  /** The command that runs tests, to which their paths are appended. */
  readonly test: readonly string[];
}

/** From the registry. @param directory where they are installed, beside what they run */
export function otherRuntimes(directory: string): readonly Runtime[] {
  const beside = path.join(directory, 'runtimes');
  mkdirSync(beside);
  writeFileSync(path.join(beside, 'package.json'), '{ "private": true }\n');
  run(beside, 'npm', ['install', '--no-audit', '--no-fund', '--silent', 'bun@1.4.5', 'deno@2.9.6']);
  const [bun, deno] = ['bun', 'deno'].map((name) => path.join(beside, 'node_modules/.bin', name)) as [
    string,
    string,
  ];
  return [
    { name: 'Bun', script: [bun], test: [bun, 'test'] },
    // Its compiler needs Node's types, which users install themselves.
    {
      name: 'Deno',
      script: [deno, 'run', '--allow-all', '--no-check'],
      test: [deno, 'test', '--allow-all', '--no-check'],
    },
  ];
}
