/** Programs that read files, or standard input if no file is given. */
import { aborted } from '@coxswain/apimachinery';
import { ByteInput } from '../network/byte-input.ts';
import { FileFailure, resolvePath } from './container-files.ts';
import { complain, print, type Program, type SimulatedProcess } from './simulated-process.ts';

export const cat: Program = (process) =>
  eachInput(process, pathsOf(process), async (input) => {
    for (let chunk = await input.read(); chunk !== undefined; chunk = await input.read())
      await process.stdout(chunk);
  });

export const head: Program = (process) => {
  const { count, paths, bytes } = countAndPaths(process);
  return eachInput(process, paths, async (input) => {
    if (bytes !== undefined) return void (await process.stdout(await input.take(bytes)));
    for (let left = count; left > 0; left--) {
      const line = await input.line();
      if (line === undefined) return;
      await print(process.stdout, `${line}\n`);
    }
  });
};

/** With `-f` it keeps running until it is stopped, but does not print what is appended. */
export const tail: Program = async (process) => {
  const code = await lastLines(process);
  if (!process.argv.slice(1).some((word) => /^-\w*[fF]/.test(word))) return code;
  await aborted(process.signal);
  return 130;
};

const lastLines: Program = (process) => {
  const fromByte = /^\+(\d+)$/.exec(process.argv.join(' ').match(/-c ?(\+\d+)/)?.[1] ?? '')?.[1];
  const { count, paths } = countAndPaths(process);
  return eachInput(process, paths, async (input) => {
    if (fromByte !== undefined) {
      const bytes = await input.rest(inputBytesMax);
      return void (await process.stdout(bytes.subarray(Math.max(0, Number(fromByte) - 1))));
    }
    const lines: string[] = [];
    for (let line = await input.line(); line !== undefined; line = await input.line()) {
      lines.push(line);
      if (lines.length > count) lines.shift();
    }
    await print(process.stdout, lines.map((line) => `${line}\n`).join(''));
  });
};

export const wc: Program = (process) =>
  eachInput(process, pathsOf(process), async (input, path) => {
    let [lines, words, bytes] = [0, 0, 0];
    let inWord = false;
    for (let chunk = await input.read(); chunk !== undefined; chunk = await input.read()) {
      bytes += chunk.length;
      for (const byte of chunk) {
        const isSpace = byte === 32 || (byte >= 9 && byte <= 13);
        if (byte === 10) lines++;
        if (!isSpace && !inWord) words++;
        inWord = !isSpace;
      }
    }
    const options = process.argv
      .slice(1)
      .filter((word) => word.startsWith('-'))
      .join('');
    const all = [
      { letter: 'l', count: lines },
      { letter: 'w', count: words },
      { letter: 'c', count: bytes },
    ];
    const shown = all.filter(({ letter }) => options === '' || options.includes(letter));
    const counts = shown.map(({ count }) => (shown.length > 1 ? String(count).padStart(9) : String(count)));
    await print(process.stdout, `${counts.join(' ')}${path === '' ? '' : ` ${path}`}\n`);
  });

/** The limit of input that must be read as a whole. */
export const inputBytesMax = 64 * 1024 * 1024;

const pathsOf = ({ argv }: SimulatedProcess): readonly string[] =>
  argv.slice(1).filter((word) => word === '-' || !word.startsWith('-'));

/** `-n 5`, `-n5`, `-5`, or bytes with `-c 5`; the default is ten lines. */
function countAndPaths({ argv }: SimulatedProcess): {
  readonly count: number;
  readonly bytes: number | undefined;
  readonly paths: readonly string[];
} {
  let count = 10;
  let bytes: number | undefined;
  const paths: string[] = [];
  const words = argv.slice(1);
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    const given = /^-n?(\d+)$/.exec(word)?.[1];
    if (given !== undefined) count = Number(given);
    else if (word === '-n') count = Number(words[++index] ?? 10);
    else if (/^-c\d*$/.test(word)) bytes = Number(word.slice(2) || words[++index]);
    else if (word === '-' || !word.startsWith('-')) paths.push(word);
  }
  return { count, bytes, paths };
}

/** Reads files, or standard input if none is given. A file that cannot be read is reported. */
export async function eachInput(
  process: SimulatedProcess,
  paths: readonly string[],
  use: (input: ByteInput, path: string) => Promise<void>,
  { failureCode = 1, isQuoted = false } = {},
): Promise<number> {
  if (paths.length === 0) {
    await use(process.stdin, '');
    return 0;
  }
  let code = 0;
  for (const path of paths) {
    try {
      const input =
        path === '-'
          ? process.stdin
          : ByteInput.of(process.files.read(resolvePath(process.place.directory, path)));
      await use(input, path);
    } catch (failure) {
      if (!(failure instanceof FileFailure)) throw failure;
      const what = isQuoted ? `can't open '${path}'` : path;
      code = await complain(process, `${what}: ${failure.message}`, failureCode);
    }
  }
  return code;
}

/** The lines of all inputs. */
export async function readLines(
  process: SimulatedProcess,
  paths: readonly string[],
): Promise<{ readonly lines: readonly string[]; readonly code: number }> {
  const texts: string[] = [];
  const code = await eachInput(process, paths, async (input) => {
    texts.push(new TextDecoder().decode(await input.rest(inputBytesMax)));
  });
  const lines = texts.flatMap((text) => (text === '' ? [] : text.replace(/\n$/, '').split('\n')));
  return { lines, code };
}

export const printLines = (process: SimulatedProcess, lines: readonly string[]): Promise<void> =>
  print(process.stdout, lines.map((line) => `${line}\n`).join(''));
