/** `test`, `[` and `[[`: conditions about files, strings and numbers. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { resolvePath, type Entry } from './container-files.ts';
import { compileExpression } from './posix-expression.ts';
import { complain, type SimulatedProcess } from './simulated-process.ts';

const ofFile: Readonly<Record<string, (entry: Entry | undefined) => boolean>> = {
  '-e': (entry) => entry !== undefined,
  '-f': (entry) => entry?.kind === 'file',
  '-d': (entry) => entry?.kind === 'directory',
  '-s': (entry) => entry?.kind === 'directory' || (entry?.kind === 'file' && entry.bytes.length > 0),
  '-r': (entry) => entry !== undefined,
  '-w': (entry) => entry !== undefined,
  '-x': (entry) => entry !== undefined && (entry.mode & 0o111) !== 0,
};

const ofTexts: Readonly<Record<string, (a: string, b: string) => boolean>> = {
  '=': (a, b) => a === b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};

const ofNumbers: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '-eq': (a, b) => a === b,
  '-ne': (a, b) => a !== b,
  '-lt': (a, b) => a < b,
  '-le': (a, b) => a <= b,
  '-gt': (a, b) => a > b,
  '-ge': (a, b) => a >= b,
};

/** Returns 0 for true, 1 for false, 2 for an invalid expression. */
export async function test(process: SimulatedProcess): Promise<number> {
  const { argv } = process;
  const close = argv[0] === '[' ? ']' : argv[0] === '[[' ? ']]' : undefined;
  if (close !== undefined && argv.at(-1) !== close) return complain(process, `missing ${close}`, 2);
  const words = argv.slice(1, close === undefined ? undefined : -1);
  try {
    return holds(words, process) ? 0 : 1;
  } catch (failure) {
    return complain(process, messageOf(failure), 2);
  }
}

/** `-o` has the lowest precedence, then `-a`, then `!`. */
function holds(words: readonly string[], process: SimulatedProcess): boolean {
  for (const [joint, found] of [
    ['-o', (a: boolean, b: boolean) => a || b],
    ['-a', (a: boolean, b: boolean) => a && b],
  ] as const) {
    const at = words.indexOf(joint, 1);
    if (at > 0 && at < words.length - 1 && words.length > 3)
      return found(holds(words.slice(0, at), process), holds(words.slice(at + 1), process));
  }
  if (words[0] === '!' && words.length > 1) return !holds(words.slice(1), process);
  return one(words, process);
}

function one([first, second, third, fourth]: readonly string[], process: SimulatedProcess): boolean {
  if (fourth !== undefined) throw new Error('too many arguments');
  if (third !== undefined && second === '=~') return matches(first!, third, process);
  if (third !== undefined) return binary(first!, second!, third);
  if (second === undefined) return (first ?? '') !== '';
  if (first === '-n') return second !== '';
  if (first === '-z') return second === '';
  const ask = ofFile[first!];
  if (ask === undefined) throw new Error(`${first}: unknown operand`);
  return ask(process.files.entry(resolvePath(process.place.directory, second)));
}

/** Like bash, with the groups in the array BASH_REMATCH. */
function matches(text: string, expression: string, { arrays }: SimulatedProcess): boolean {
  const found = compileExpression(expression, { isExtended: true }).find(text);
  arrays?.set('BASH_REMATCH', found?.groups ?? []);
  return found !== undefined;
}

function binary(a: string, operator: string, b: string): boolean {
  const texts = ofTexts[operator];
  if (texts !== undefined) return texts(a, b);
  const numbers = ofNumbers[operator];
  if (numbers === undefined) throw new Error(`${operator}: unknown operand`);
  for (const text of [a, b]) if (!/^\s*[-+]?\d+\s*$/.test(text)) throw new Error(`${text}: bad number`);
  return numbers(Number(a), Number(b));
}
