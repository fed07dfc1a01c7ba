/** Resolves the first word of a command, as shown by `command -v`, `command -V` and `type` in BusyBox. */
import { programs } from './programs.ts';
import { isShellName } from './shell-executables.ts';
import { resolvePath } from './container-files.ts';
import { print, type Program, type SimulatedProcess } from './simulated-process.ts';

export type OwnPrograms = ReadonlyMap<string, Program> | undefined;

/** A program of the image, by name or path. */
export const ownProgram = (path: string, own: OwnPrograms): Program | undefined =>
  own?.get(path) ?? (path.startsWith('/') ? own?.get(path.slice(path.lastIndexOf('/') + 1)) : undefined);

export const isKnownProgram = (path: string, own?: OwnPrograms): boolean => {
  if (ownProgram(path, own) !== undefined) return true;
  const name = path.startsWith('/') ? path.slice(path.lastIndexOf('/') + 1) : path;
  const isPlace = !path.includes('/') || /^\/(usr\/)?s?bin\//.test(path);
  return isPlace && (isShellName(name) || Object.hasOwn(programs, name));
};

/** Words that only a shell implements. */
const builtins = new Set([
  'exit',
  'cd',
  'export',
  'set',
  'exec',
  'break',
  'continue',
  'read',
  'trap',
  'unset',
  'return',
  'local',
  'shift',
  'eval',
  '.',
  'source',
  'wait',
  'command',
  'type',
]);

export const isBuiltin = (name: string): boolean => builtins.has(name);

/** Programs that the shell also has built in. */
const ownPrograms = new Set([':', 'true', 'false', 'echo', 'printf', 'pwd', 'sleep', 'test', '[', '[[']);

const keywords = /^(?:if|then|elif|else|fi|while|until|for|in|do|done|case|esac|function|!|\{|\})$/;

/**
 * @param isThere whether a file with this path exists
 * @returns how to run it (a name or path) and the output of `type`; undefined if it is not found
 */
export function lookUp(
  name: string,
  isThere: (path: string) => boolean,
): { readonly as: string; readonly words: string } | undefined {
  if (keywords.test(name)) return { as: name, words: 'a shell keyword' };
  if (isBuiltin(name) || ownPrograms.has(name)) return { as: name, words: 'a shell builtin' };
  const isPath = name.includes('/');
  if (!isKnownProgram(name) && !(isPath && isThere(name))) return undefined;
  const path = isPath ? name : `/bin/${name}`;
  return { as: path, words: path };
}

/** The output of `command -v`, or in words that of `type`. */
export async function describeNames(
  { stdout, files, place }: SimulatedProcess,
  names: readonly string[],
  inWords: boolean,
): Promise<number> {
  let code = 0;
  for (const name of names) {
    const found = lookUp(name, (path) => files.entry(resolvePath(place.directory, path)) !== undefined);
    if (found === undefined) code = 127;
    if (found !== undefined) await print(stdout, inWords ? `${name} is ${found.words}\n` : `${found.as}\n`);
    else if (inWords) await print(stdout, `${name}: not found\n`);
  }
  return code;
}
