/** Installs a packed package with each package manager, and looks at what a user's project has become by it. */

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectMatch, run } from './run.ts';

interface Manager {
  readonly name: string;
  /** The command with which npm runs it; pinned versions come from the registry. */
  readonly command: readonly string[];
  readonly add: readonly string[];
  /** The command that runs a program of the project. */
  readonly exec: readonly string[];
  /** Makes its project what it expects. */
  readonly files?: Readonly<Record<string, string>>;
}

const yarnFiles = (linker: string) => ({
  '.yarnrc.yml': `nodeLinker: ${linker}\nenableTelemetry: false\nenableImmutableInstalls: false\n`,
  'yarn.lock': '',
});

const yarn = ['npx', '--yes', '--package=@yarnpkg/cli-dist@4.18.1', 'yarn'];

const managers: readonly Manager[] = [
  { name: 'npm', command: ['npm'], add: ['install', '--no-audit', '--no-fund'], exec: ['exec', '--'] },
  { name: 'pnpm', command: ['npx', '--yes', 'pnpm@12.21.0'], add: ['add'], exec: ['exec'] },
  { name: 'yarn', command: yarn, add: ['add'], exec: ['exec'], files: yarnFiles('node-modules') },
  { name: 'bun', command: ['npx', '--yes', 'bun@1.4.5'], add: ['add'], exec: ['x'] },
  { name: 'yarn-pnp', command: yarn, add: ['add'], exec: ['exec'], files: yarnFiles('pnp') },
];

/** @param version the version that the package reports */
export function checkManagers(directory: string, archive: string, version: RegExp): void {
  for (const manager of managers) check(manager, path.join(directory, manager.name), archive, version);
}

function check(
  { name, command, add, exec, files = {} }: Manager,
  directory: string,
  archive: string,
  version: RegExp,
) {
  const asked = (...args: string[]): string => run(directory, command[0]!, [...command.slice(1), ...args]);
  mkdirSync(directory);
  const manifest = { private: true, scripts: { node: 'node --print process.execPath' } };
  for (const [file, text] of Object.entries({ 'package.json': JSON.stringify(manifest), ...files }))
    writeFileSync(path.join(directory, file), text);
  asked('install');
  const nodeBefore = asked('run', 'node');

  // pnpm fails if a dependency has an install script that was not approved.
  asked(...add, command === yarn ? `coxswain@${archive}` : archive);

  expectMatch(asked(...exec, 'coxswain', 'version'), version);
  if (asked('run', 'node') !== nodeBefore)
    throw new Error(`${name}: scripts run on another Node than before`);
  const programs = programsIn(directory);
  if (name !== 'yarn-pnp' && programs.join() !== 'coxswain')
    throw new Error(`${name}: node_modules/.bin has ${programs.join()}`);
  const { scripts } = JSON.parse(
    readFileSync(path.join(directory, 'package.json'), 'utf8'),
  ) as typeof manifest;
  if (JSON.stringify(scripts) !== JSON.stringify(manifest.scripts))
    throw new Error(`${name}: the scripts of the project were changed`);
}

/** The programs, without the additional files for Windows. */
function programsIn(directory: string): readonly string[] {
  try {
    return readdirSync(path.join(directory, 'node_modules/.bin')).filter(
      (name) => !/\.(cmd|ps1)$/.test(name),
    );
  } catch {
    return [];
  }
}
