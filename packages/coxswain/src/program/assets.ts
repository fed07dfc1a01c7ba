/**
 * A directory with one executable per upstream program, for tools that look for those names (envtest, scripts). Each is
 * a short script with absolute paths, created on request.
 */

import { existsSync } from 'node:fs';
import { access, chmod, constants, mkdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { commandOf } from './own-command.ts';
import { programs } from './programs.ts';
import { serverPrograms } from './server-programs.ts';

/** Creates or refreshes the executables, and resolves with their directory. */
export async function writeAssets(): Promise<string> {
  const entry = entryScript();
  const directory = path.join(await writableDirectory(path.dirname(path.dirname(entry))), 'assets');
  await mkdir(directory, { recursive: true, mode: 0o755 });
  for (const name of ['coxswain', ...Object.keys(programs)]) {
    await writeExecutable(path.join(directory, name), scriptText(entry, name));
  }
  return directory;
}

/** `bin` lies next to the directory of the bundle, and next to that of the sources. */
function entryScript(): string {
  const places = ['../bin', '../../bin'].map((directory) =>
    path.join(import.meta.dirname, directory, 'coxswain.mjs'),
  );
  return places.find((place) => existsSync(place)) ?? places[0]!;
}

async function writableDirectory(directory: string): Promise<string> {
  try {
    await access(directory, constants.W_OK);
    return directory;
  } catch {
    const cache = process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache');
    return path.join(cache, 'coxswain');
  }
}

/** `exec` keeps the process ID, so that the caller can signal the program and measure its time. */
function scriptText(entry: string, name: string): string {
  const directory = path.dirname(entry);
  const isPacked = existsSync(path.join(directory, '../lib/modules.pack'));
  if (name === 'kubectl' && isPacked)
    return `#!/bin/sh\n${withoutExtraCertificates}exec ${words(commandOf(nodeFlags, path.join(directory, 'kubectl.cjs')))}\n`;
  if (Object.hasOwn(serverPrograms, name) && isPacked)
    return `#!/bin/sh\n${helpFrom(path.join(directory, '../lib', helpFile(name)))}exec ${words(commandOf([...nodeFlags, youngFromTheStart], path.join(directory, 'server.cjs')), [name])}\n`;
  return `#!/bin/sh\nexec ${words(commandOf(nodeFlags, entry), name === 'coxswain' ? [] : [name])}\n`;
}

/** The file in `lib` in which a package stores the text of a server's `--help`. */
export const helpFile = (program: string): string => `${program}.help.txt`;

/** envtest runs `--help` before each start to learn which flags exist; printing the stored text suffices. */
const helpFrom = (file: string): string =>
  existsSync(file) ? `[ "$*" = --help ] && exec cat ${quoted(file)}\n` : '';

const words = (command: readonly string[], args: readonly string[] = []): string =>
  `${[...command, ...args].map(quoted).join(' ')} "$@"`;

/** Node would read all of these certificates even if they are never used; bin/kubectl.cjs sets the variable again. */
const withoutExtraCertificates = `if [ -n "$NODE_EXTRA_CA_CERTS" ]; then
  export COXSWAIN_EXTRA_CA_CERTS="$NODE_EXTRA_CA_CERTS"
  unset NODE_EXTRA_CA_CERTS
fi
`;

/** A larger young generation, as in bin/node.mjs. */
export const nodeFlags = ['--max-semi-space-size=16'];

/** For servers: a small initial young generation would be collected many times during the start. */
const youngFromTheStart = '--min-semi-space-size=16';

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

async function writeExecutable(file: string, text: string): Promise<void> {
  const current = await readFile(file, 'utf8').catch(() => '');
  if (current !== text) await writeFile(file, text, { mode: 0o755 });
  await chmod(file, 0o755);
}
