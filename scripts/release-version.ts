/**
 * Carries the version of the packages to where else it stands: the program itself, and the changelog, whose section
 * `Unreleased` gets it and today's date. `npm run release-version` runs this after changesets has raised the version.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(path.join(root, 'packages/coxswain/package.json'), 'utf8')) as {
  readonly version: string;
};
const today = new Date().toISOString().slice(0, 10);
const unreleased = '## [Unreleased]\n';

replace('packages/coxswain/src/program/version.ts', /(coxswainVersion = ')[^']+/, `$1${version}`);
replace('CHANGELOG.md', unreleased, `${unreleased}\n## [${version}] - ${today}\n`);

function replace(name: string, what: string | RegExp, by: string): void {
  const file = path.join(root, name);
  const text = readFileSync(file, 'utf8');
  if (text.search(what instanceof RegExp ? what : RegExp.escape(what)) < 0)
    throw new Error(`${name} has no ${String(what)}`);
  writeFileSync(file, text.replace(what, by));
}
