/** BusyBox's `grep`. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ByteInput } from '../network/byte-input.ts';
import { resolvePath } from './container-files.ts';
import { withOptions, type Options } from './declared-options.ts';
import { compileExpression, escapedExpression, type Expression } from './posix-expression.ts';
import { complain, print, type SimulatedProcess } from './simulated-process.ts';
import { eachInput } from './text-programs.ts';

export const grep = withOptions(
  {
    letters: 'HhnlLoqvscFiwxErRaIzm:A:B:C:e:f:',
    long: {
      '--ignore-case': 'i',
      '--invert-match': 'v',
      '--count': 'c',
      '--quiet': 'q',
      '--silent': 'q',
      '--only-matching': 'o',
      '--line-number': 'n',
      '--extended-regexp': 'E',
      '--fixed-strings': 'F',
      '--word-regexp': 'w',
      '--recursive': 'r',
      '--color': 'a',
      '--line-buffered': 'a',
    },
    synopsis: '[-HhnlLoqvsrRiwFE] [-m N] [-A|B|C N] { PATTERN | -e PATTERN... } [FILE]...',
    usageCode: 2,
  },
  async (process, options) => {
    const given = options.values('e');
    const [pattern, ...others] =
      given.length > 0 ? [given.join('\n'), ...options.operands] : options.operands;
    if (pattern === undefined) return undefined;
    let expression: Expression;
    try {
      expression = expressionOf(pattern, options);
    } catch (failure) {
      return complain(process, messageOf(failure), 2);
    }
    const isRecursive = options.has('r') || options.has('R');
    const paths = isRecursive ? filesIn(process, others.length === 0 ? ['.'] : others) : others;
    const isNamed = options.has('H') || ((paths.length > 1 || isRecursive) && !options.has('h'));
    let found = false;
    const quiet = options.has('s') ? { ...process, stderr: () => undefined } : process;
    const code = await eachInput(
      quiet,
      paths,
      async (input, path) => {
        if (found && options.has('q')) return;
        const hasMatch = await search({ process, options, expression, input, path, isNamed });
        found ||= hasMatch !== options.has('L');
      },
      { failureCode: 2 },
    );
    return found ? 0 : code || 1;
  },
);

export const egrep = (process: SimulatedProcess): Promise<number> | number =>
  grep({ ...process, argv: [process.argv[0]!, '-E', ...process.argv.slice(1)] });

export const fgrep = (process: SimulatedProcess): Promise<number> | number =>
  grep({ ...process, argv: [process.argv[0]!, '-F', ...process.argv.slice(1)] });

/** Several patterns are separated by newlines. */
function expressionOf(patterns: string, options: Options): Expression {
  const isExtended = options.has('E') || options.has('F');
  const all = patterns
    .split('\n')
    .map((pattern) => (options.has('F') ? escapedExpression(pattern) : pattern));
  const [open, or, close] = isExtended ? ['(', '|', ')'] : [String.raw`\(`, String.raw`\|`, String.raw`\)`];
  const joined = all.length === 1 ? all[0]! : all.map((one) => `${open}${one}${close}`).join(or);
  const whole = options.has('x')
    ? `^${open}${joined}${close}$`
    : options.has('w')
      ? `\\b${open}${joined}${close}\\b`
      : joined;
  return compileExpression(whole, { isExtended, ignoresCase: options.has('i') });
}

interface Search {
  readonly process: SimulatedProcess;
  readonly options: Options;
  readonly expression: Expression;
  readonly input: ByteInput;
  readonly path: string;
  readonly isNamed: boolean;
}

/** Whether a line matches. */
async function search({ process, options, expression, input, path, isNamed }: Search): Promise<boolean> {
  const countMax = Number(options.value('m') ?? Infinity);
  const around = Number(options.value('C') ?? 0);
  const beforeMax = Number(options.value('B') ?? around);
  const afterMax = Number(options.value('A') ?? around);
  const hasContext = beforeMax > 0 || afterMax > 0;
  const name = path === '' || path === '-' ? '(standard input)' : path;
  const isSilent = ['q', 'c', 'l', 'L'].some((letter) => options.has(letter));
  const before: { readonly number: number; readonly line: string }[] = [];
  let [count, printed, after, number] = [0, 0, 0, 0];
  const show = (at: number, line: string, mark: string) =>
    print(
      process.stdout,
      `${isNamed ? `${name}${mark}` : ''}${options.has('n') ? `${at}${mark}` : ''}${line}\n`,
    );
  for (let line = await input.line(); line !== undefined; line = await input.line()) {
    number++;
    const isMatch = (expression.find(line) !== undefined) !== options.has('v');
    if (isMatch && count < countMax) {
      count++;
      if (options.has('q') || options.has('l')) break;
      if (isSilent) continue;
      if (options.has('o')) {
        if (!options.has('v')) for (const part of partsOf(line, expression)) await show(number, part, ':');
      } else {
        const first = number - before.length;
        if (hasContext && printed > 0 && first > printed + 1) await print(process.stdout, '--\n');
        for (const kept of before.splice(0)) await show(kept.number, kept.line, '-');
        await show(number, line, ':');
        [printed, after] = [number, afterMax];
      }
    } else if (after > 0 && !isSilent) {
      after--;
      printed = number;
      await show(number, line, '-');
    } else if (beforeMax > 0) {
      before.push({ number, line });
      if (before.length > beforeMax) before.shift();
    }
    if (count >= countMax && after === 0) break;
  }
  if (options.has('c')) await print(process.stdout, `${isNamed ? `${name}:` : ''}${count}\n`);
  if (options.has(count > 0 ? 'l' : 'L')) await print(process.stdout, `${name}\n`);
  return count > 0;
}

function* partsOf(line: string, expression: Expression): Iterable<string> {
  for (let from = 0; from <= line.length;) {
    const match = expression.find(line, from);
    if (match === undefined) return;
    if (match.end > match.start) yield match.groups[0]!;
    from = Math.max(match.end, match.start + 1);
  }
}

/** The files below directories. */
function filesIn({ files, place }: SimulatedProcess, paths: readonly string[]): readonly string[] {
  return paths.flatMap((path): readonly string[] => {
    const full = resolvePath(place.directory, path);
    if (!files.isDirectory(full)) return [path];
    const inside = files.list(full).map((name) => `${path.replace(/\/$/, '')}/${name}`);
    return filesIn({ files, place } as SimulatedProcess, inside);
  });
}
