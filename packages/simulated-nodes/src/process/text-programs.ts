/** Programs that read files, or standard input if no file is given. */
import { aborted } from '@coxswain/apimachinery';
import { ByteInput } from '../network/byte-input.ts';
import { FileFailure, resolvePath } from './container-files.ts';
import { withOptions, type Options } from './declared-options.ts';
import { readOptionWords } from './option-words.ts';
import { complain, print, type Program, type SimulatedProcess } from './simulated-process.ts';
import { piecesInTurns } from './turns.ts';

/** With `-n`, lines are numbered. */
export const cat = withOptions({ letters: 'nbevtAu', synopsis: '[-n] [FILE]...' }, (process, options) => {
  let number = 0;
  const printAll = async (input: ByteInput) => {
    if (options.has('n')) {
      for (let line = await input.line(); line !== undefined; line = await input.line())
        await print(process.stdout, `${String(++number).padStart(6)}\t${line}\n`);
      return;
    }
    for (let chunk = await input.read(); chunk !== undefined; chunk = await input.read())
      await process.stdout(chunk);
  };
  return eachInput(process, options.operands, printAll, { isQuoted: true });
});

const linesDefault = '10';

/** A program whose option `-5` is short for `-n 5`, and that names several files. */
const partOfInputs = (
  letters: string,
  synopsis: string,
  part: (process: SimulatedProcess, input: ByteInput, options: Options) => Promise<void>,
): Program => {
  const run = withOptions({ letters, synopsis }, (process, options) => {
    let isFirst = true;
    return eachInput(process, options.operands, async (input, path) => {
      const isNamed = options.has('v') || (options.operands.length > 1 && !options.has('q'));
      if (isNamed) await print(process.stdout, `${isFirst ? '' : '\n'}==> ${path} <==\n`);
      isFirst = false;
      await part(process, input, options);
    });
  });
  return (process) =>
    run({
      ...process,
      argv: process.argv.map((word, at) => (at === 1 ? word.replace(/^-(\d+)$/, '-n$1') : word)),
    });
};

export const head = partOfInputs(
  'n:c:qv',
  '[-n N] [-c N] [-qv] [FILE]...',
  async ({ stdout }, input, options) => {
    const bytes = options.value('c');
    if (bytes !== undefined) return stdout(await input.take(Number(bytes)));
    const count = Number(options.value('n') ?? linesDefault);
    // With a negative number, all but the last ones.
    const kept: string[] = [];
    for (let left = count < 0 ? Infinity : count; left > 0; left--) {
      const line = await input.line();
      if (line === undefined) return;
      kept.push(line);
      if (kept.length > Math.max(0, -count)) await print(stdout, `${kept.shift()}\n`);
    }
  },
);

/** With `-f` it keeps running until it is stopped, but does not print what is appended. */
export const tail: Program = async (process) => {
  const { options, operands } = readOptionWords(process.argv.slice(1), new Set(['-n', '-c', '-s']));
  const retries = options.has('-F');
  const sizes = new Map(operands.map((path) => [path, sizeOf(process, path)]));
  const code = await lastPart(process);
  if (!retries && !options.has('-f')) return code;
  const isNothingThere = operands.length > 0 && [...sizes.values()].every((size) => size === undefined);
  if (isNothingThere && !retries) return code;
  await follow(process, sizes);
  return 130;
};

/** How often a followed file is looked at. */
const followMs = 1_000;

/** Prints what is appended to files, and all of a file that was shortened, until the process ends. */
async function follow(process: SimulatedProcess, sizes: Map<string, number | undefined>): Promise<void> {
  const { clock, signal, stdout, files, place } = process;
  if (sizes.size === 0) return aborted(signal);
  while (!signal.aborted) {
    await clock.sleep(followMs, signal).catch(() => undefined);
    for (const [path, before = 0] of sizes) {
      const size = sizeOf(process, path);
      if (size !== undefined && size !== before && !signal.aborted)
        await stdout(files.read(resolvePath(place.directory, path)).subarray(size < before ? 0 : before));
      sizes.set(path, size ?? before);
    }
  }
}

/** Undefined if there is no such file. */
function sizeOf({ files, place }: SimulatedProcess, path: string): number | undefined {
  const entry = files.entry(resolvePath(place.directory, path));
  return entry?.kind === 'file' ? entry.bytes.length : undefined;
}

const lastPart = partOfInputs(
  'n:c:fFqs:v',
  '[-n N] [-c N] [-fqv] [FILE]...',
  async ({ stdout }, input, options) => {
    const asked = options.value('c');
    if (asked !== undefined) {
      const bytes = await input.rest(inputBytesMax);
      const count = Math.abs(Number(asked));
      const from = asked.startsWith('+') ? count - 1 : bytes.length - count;
      return stdout(bytes.subarray(Math.max(0, from)));
    }
    const text = options.value('n') ?? linesDefault;
    const count = Math.abs(Number(text));
    const isFromStart = text.startsWith('+');
    const lines: string[] = [];
    let number = 0;
    for (let line = await input.line(); line !== undefined; line = await input.line()) {
      number++;
      if (isFromStart && number < count) continue;
      lines.push(line);
      if (!isFromStart && lines.length > count) lines.shift();
    }
    await print(stdout, lines.map((line) => `${line}\n`).join(''));
  },
);

export const wc = withOptions({ letters: 'clwL', synopsis: '[-clw] [FILE]...' }, async (process, options) => {
  const letters = [...'lwc'].filter((letter) => options.has(letter));
  const shown = letters.length === 0 ? [...'lwc'] : letters;
  const totals: Record<string, number> = { l: 0, w: 0, c: 0 };
  const isAligned = shown.length > 1 || options.operands.length > 1;
  const row = (counts: Readonly<Record<string, number>>, path: string) => {
    const values = shown.map((letter) => String(counts[letter]).padStart(isAligned ? 9 : 0));
    return print(process.stdout, `${values.join(' ')}${path === '' ? '' : ` ${path}`}\n`);
  };
  const code = await eachInput(process, options.operands, async (input, path) => {
    const counts = await countsOf(input);
    for (const [letter, count] of Object.entries(counts)) totals[letter]! += count;
    await row(counts, path);
  });
  if (options.operands.length > 1) await row(totals, 'total');
  return code;
});

async function countsOf(
  input: ByteInput,
): Promise<{ readonly l: number; readonly w: number; readonly c: number }> {
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
  return { l: lines, w: words, c: bytes };
}

/** The limit of input that must be read as a whole. */
export const inputBytesMax = 64 * 1024 * 1024;
/** The same for text that is divided into lines, each of which takes much more memory and time. */
const textBytesMax = 1024 * 1024;

/** @throws FileFailure */
const fileInput = ({ files, place, clock, signal }: SimulatedProcess, path: string): ByteInput =>
  new ByteInput(piecesInTurns(files.read(resolvePath(place.directory, path)), clock, signal));

/** All of a text. @throws FileFailure beyond what a program may have in memory */
export async function wholeText(input: ByteInput): Promise<string> {
  try {
    return new TextDecoder().decode(await input.rest(textBytesMax));
  } catch {
    throw new FileFailure('out of memory');
  }
}

/** Reads files, or standard input if none is given. A file that cannot be read is reported. */
export async function eachInput(
  process: SimulatedProcess,
  paths: readonly string[],
  use: (input: ByteInput, path: string) => Promise<void>,
  { failureCode = 1, isQuoted = false } = {},
): Promise<number> {
  let code = 0;
  for (const path of paths.length === 0 ? [''] : paths) {
    try {
      const isStandard = path === '' || path === '-';
      const input = isStandard ? process.stdin : fileInput(process, path);
      await use(input, path);
    } catch (failure) {
      if (!(failure instanceof FileFailure)) throw failure;
      const isRead = isQuoted && failure.message === 'Is a directory';
      const what = isRead
        ? 'read error: '
        : path === ''
          ? ''
          : isQuoted
            ? `can't open '${path}': `
            : `${path}: `;
      code = await complain(process, `${what}${failure.message}`, failureCode);
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
    texts.push(await wholeText(input));
  });
  const lines = texts.flatMap((text) => (text === '' ? [] : text.replace(/\n$/, '').split('\n')));
  return { lines, code };
}

export const printLines = (process: SimulatedProcess, lines: readonly string[]): Promise<void> =>
  print(process.stdout, lines.map((line) => `${line}\n`).join(''));
