/** `tar cf - PATH` and `tar xmf - -C DIRECTORY`: what `kubectl cp` runs. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { nameOf, parentOf, resolvePath } from './container-files.ts';
import { complain, type Program, type SimulatedProcess } from './simulated-process.ts';
import { readTar, tarEnd, writeTarEntry } from './tar.ts';
import { inputBytesMax } from './text-programs.ts';

export const tar: Program = async (process) => {
  const command = commandOf(process.argv.slice(1));
  if (command.archive !== '-')
    return complain(process, 'only archives of standard input and output are known');
  try {
    if (command.mode === 'c') return await create(process, command);
    if (command.mode === 'x') return await extract(process, command);
    return await complain(process, 'You must specify one of the -cx options', 2);
  } catch (failure) {
    return complain(process, messageOf(failure), 2);
  }
};

interface TarCommand {
  readonly mode: string;
  readonly archive: string;
  readonly directory: string;
  readonly paths: readonly string[];
}

function commandOf(words: readonly string[]): TarCommand {
  let mode = '';
  let archive = '-';
  let directory = '.';
  const paths: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (word.startsWith('--')) continue;
    if (word === '-C') directory = words[++index] ?? '.';
    else if (index === 0 || word.startsWith('-')) {
      mode ||= /[cx]/.exec(word)?.[0] ?? '';
      if (word.includes('f')) archive = words[++index] ?? '-';
    } else paths.push(word);
  }
  return { mode, archive, directory, paths };
}

async function create(process: SimulatedProcess, { directory, paths }: TarCommand): Promise<number> {
  const base = resolvePath(process.place.directory, directory);
  let code = 0;
  for (const path of paths) {
    const full = resolvePath(base, path);
    if (process.files.entry(full) === undefined)
      code = await complain(process, `${path}: No such file or directory`);
    else await add(process, full, path.replace(/^\/+/, '') || '.');
  }
  await process.stdout(tarEnd);
  return code;
}

async function add(process: SimulatedProcess, full: string, name: string): Promise<void> {
  const entry = process.files.entry(full)!;
  const bytes = entry.kind === 'file' ? entry.bytes : new Uint8Array(0);
  const { kind, mode, modifiedMs } = entry;
  for (const part of writeTarEntry({ path: name, kind, mode, modifiedMs, bytes })) await process.stdout(part);
  if (kind === 'file') return;
  for (const child of process.files.list(full))
    await add(process, resolvePath(full, child), `${name}/${child}`);
}

async function extract(process: SimulatedProcess, { directory }: TarCommand): Promise<number> {
  const { files, clock, place, stdin } = process;
  const base = resolvePath(place.directory, directory);
  if (!files.isDirectory(base)) return complain(process, `can't change directory to '${directory}'`);
  for await (const { path, kind, mode, bytes } of readTar(stdin, inputBytesMax)) {
    const full = resolvePath(base, path.replace(/^\/+/, ''));
    if (kind === 'directory') files.makeDirectories(full, clock.now(), mode);
    if (kind !== 'file') continue;
    files.makeDirectories(parentOf(full), clock.now());
    files.write(resolvePath(parentOf(full), nameOf(full)), Uint8Array.from(bytes), clock.now(), mode);
  }
  return 0;
}
