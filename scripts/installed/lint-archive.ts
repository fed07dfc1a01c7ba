/** What the public linters say of a packed package: whether its doors lead where they should, for all who come in. */

import path from 'node:path';
import { run } from './run.ts';

const publint = 'publint@0.3.25';
const typesLinter = '@arethetypeswrong/cli@0.18.5';

/** @param moduleDoors that are for `import` alone. @throws Error with what they complain of */
export function lintArchive(archive: string, moduleDoors: readonly string[] = []): void {
  const folder = path.dirname(archive);
  run(folder, 'npx', ['--yes', publint, archive, '--strict']);
  // Compilers before TypeScript 4.7 are not supported.
  const supported = ['--profile', 'node16', '--no-color', '--no-emoji'];
  const excluded = moduleDoors.length === 0 ? [] : ['--exclude-entrypoints', ...moduleDoors];
  run(folder, 'npx', ['--yes', `--package=${typesLinter}`, 'attw', archive, ...supported, ...excluded]);
}
