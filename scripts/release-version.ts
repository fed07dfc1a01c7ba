/**
 * `npm run release-version`: has changesets raise the version in every package, and carries it to where else it stands: the
 * program itself, the template, packaging, clients, pages, and the changelog, whose section `Unreleased` gets it and today's date.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { versionPlaces } from './release/version-places.ts';

const root = path.join(import.meta.dirname, '..');

run('npx', '--yes', '@changesets/cli@3.0.3', 'version');
run('npm', 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund');
const { version } = JSON.parse(readFileSync(path.join(root, 'packages/coxswain/package.json'), 'utf8')) as {
  readonly version: string;
};
for (const [file, place] of versionPlaces) replace(file, place, `$1${version}`);
const unreleased = '## [Unreleased]\n';
const today = new Date().toISOString().slice(0, 10);
replace('CHANGELOG.md', unreleased, `${unreleased}\n## [${version}] - ${today}\n`);

/** On this Node: changesets needs a newer one than the packages do. */
function run(program: string, ...args: readonly string[]): void {
  const PATH = [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter);
  execFileSync(program, args, {
    cwd: root,
    env: { ...process.env, PATH },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}

function replace(name: string, what: string | RegExp, by: string): void {
  const file = path.join(root, name);
  const text = readFileSync(file, 'utf8');
  if (text.search(what instanceof RegExp ? what : RegExp.escape(what)) < 0)
    throw new Error(`${name} has no ${String(what)}`);
  writeFileSync(file, text.replace(what, by));
}
