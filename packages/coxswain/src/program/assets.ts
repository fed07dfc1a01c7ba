/**
 * A directory with one executable per program of the original, for tools that look for those names
 * (envtest, scripts). Each is a short script with absolute paths, made when it is asked for.
 */

import { existsSync } from 'node:fs';
import { access, chmod, constants, mkdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { commandOf } from './own-command.ts';
import { programs } from './programs.ts';
import { serverPrograms } from './server-programs.ts';

/** Makes or refreshes the executables, and resolves with their directory. */
export async function writeAssets(): Promise<string> {
  const entry = entryScript();
  const folder = path.join(await writableFolder(path.dirname(path.dirname(entry))), 'assets');
  await mkdir(folder, { recursive: true, mode: 0o755 });
  for (const name of ['coxswain', ...Object.keys(programs)]) {
    await writeExecutable(path.join(folder, name), scriptText(entry, name));
  }
  return folder;
}

/** `bin` lies beside the folder of the bundle, and beside that of the sources. */
function entryScript(): string {
  const places = ['../bin', '../../bin'].map((folder) =>
    path.join(import.meta.dirname, folder, 'coxswain.mjs'),
  );
  return places.find((place) => existsSync(place)) ?? places[0]!;
}

async function writableFolder(folder: string): Promise<string> {
  try {
    await access(folder, constants.W_OK);
    return folder;
  } catch {
    const cache = process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache');
    return path.join(cache, 'coxswain');
  }
}

/** `exec` keeps the process id: whoever started the executable can signal it and count its time. */
function scriptText(entry: string, name: string): string {
  const folder = path.dirname(entry);
  const isPacked = existsSync(path.join(folder, '../lib/modules.pack'));
  if (name === 'kubectl' && isPacked)
    return `#!/bin/sh\n${withoutExtraCertificates}exec ${words(commandOf(nodeFlags, path.join(folder, 'kubectl.cjs')))}\n`;
  if (Object.hasOwn(serverPrograms, name) && isPacked)
    return `#!/bin/sh\n${helpFrom(path.join(folder, '../lib', helpFile(name)))}exec ${words(commandOf([...nodeFlags, youngFromTheStart], path.join(folder, 'server.cjs')), [name])}\n`;
  return `#!/bin/sh\nexec ${words(commandOf(nodeFlags, entry), name === 'coxswain' ? [] : [name])}\n`;
}

/** Where a package has the text of a server's `--help`, from its `lib`. */
export const helpFile = (program: string): string => `${program}.help.txt`;

/** envtest asks for the help before each start, to learn which flags there are: the text alone is enough. */
const helpFrom = (file: string): string =>
  existsSync(file) ? `[ "$*" = --help ] && exec cat ${quoted(file)}\n` : '';

const words = (command: readonly string[], args: readonly string[] = []): string =>
  `${[...command, ...args].map(quoted).join(' ')} "$@"`;

/** bin/kubectl.cjs puts it back: Node would read all of them whether they are needed or not. */
const withoutExtraCertificates = `if [ -n "$NODE_EXTRA_CA_CERTS" ]; then
  export COXSWAIN_EXTRA_CA_CERTS="$NODE_EXTRA_CA_CERTS"
  unset NODE_EXTRA_CA_CERTS
fi
`;

/** As in bin/node.mjs: a larger young generation. */
export const nodeFlags = ['--max-semi-space-size=16'];

/** For servers: until it had grown, the young generation would be swept many times while they start. */
const youngFromTheStart = '--min-semi-space-size=16';

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

async function writeExecutable(file: string, text: string): Promise<void> {
  const current = await readFile(file, 'utf8').catch(() => '');
  if (current !== text) await writeFile(file, text, { mode: 0o755 });
  await chmod(file, 0o755);
}
