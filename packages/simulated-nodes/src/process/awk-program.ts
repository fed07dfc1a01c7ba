/** The common part of `awk`: patterns and actions that print, assign and calculate. No control flow, no arrays. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { parseAwk, type AwkExpression, type AwkRule, type AwkStatement } from './awk-script.ts';
import { withOptions } from './declared-options.ts';
import { compileExpression } from './posix-expression.ts';
import { formatted, unescaped } from './printf-program.ts';
import { complain, print } from './simulated-process.ts';
import { eachInput } from './text-programs.ts';

export const awk = withOptions(
  {
    letters: 'F:v:',
    synopsis: "[-v VAR=VAL]... [-F SEP] 'PROGRAM' [FILE]...",
    operandsMin: 1,
    isPrefix: true,
  },
  async (process, options) => {
    const [script = '', ...paths] = options.operands;
    let rules: readonly AwkRule[];
    try {
      rules = parseAwk(script);
    } catch (failure) {
      return complain(process, `cmd. line:1: ${messageOf(failure)}`);
    }
    const run = new AwkRun();
    run.variables.set('FS', unescaped(options.value('F') ?? ' '));
    for (const pair of options.values('v')) {
      const at = pair.indexOf('=');
      run.variables.set(pair.slice(0, at), unescaped(pair.slice(at + 1)));
    }
    const act = async (when: AwkRule['when']): Promise<void> => {
      for (const rule of rules) {
        if (run.isOver || rule.when !== when) continue;
        if (rule.pattern === undefined || isTrue(run.valueOf(rule.pattern))) run.execute(rule.action);
      }
      await print(process.stdout, run.take());
    };
    await act('BEGIN');
    if (rules.every(({ when }) => when === 'BEGIN')) return run.exitCode;
    const code = await eachInput(process, paths, async (input) => {
      while (!run.isOver) {
        const line = await input.line();
        if (line === undefined) return;
        run.read(line);
        await act('line');
      }
    });
    run.isOver = false;
    await act('END');
    return run.exitCode || code;
  },
);

type Value = string | number;

const looksNumeric = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/;

const numberOf = (value: Value): number =>
  typeof value === 'number'
    ? value
    : Number(/^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/.exec(value)?.[0] ?? 0);

/** Six significant digits, as with `%.6g`. */
const textOf = (value: Value): string =>
  typeof value === 'string' || Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));

const isTrue = (value: Value): boolean =>
  typeof value === 'number' || looksNumeric.test(value) ? Number(value) !== 0 : value !== '';

class AwkRun {
  readonly variables = new Map<string, Value>([
    ['OFS', ' '],
    ['ORS', '\n'],
    ['NR', 0],
    ['NF', 0],
  ]);
  #fields: readonly string[] = [''];
  #output = '';
  isOver = false;
  exitCode = 0;

  read(line: string): void {
    this.variables.set('NR', numberOf(this.variables.get('NR')!) + 1);
    this.#split(line);
  }

  #split(line: string): void {
    const separator = textOf(this.variables.get('FS')!);
    const parts = separator === ' ' ? line.trim().split(/[ \t]+/) : splitBy(line, separator);
    this.#fields = [line, ...(line.trim() === '' && separator === ' ' ? [] : parts)];
    this.variables.set('NF', this.#fields.length - 1);
  }

  /** What was printed since. */
  take(): string {
    const output = this.#output;
    this.#output = '';
    return output;
  }

  execute(action: readonly AwkStatement[]): void {
    for (const { name, values } of action) {
      const all = values.map((value) => this.valueOf(value));
      if (name === 'print') {
        const text = all.length === 0 ? this.#fields[0]! : all.map(textOf).join(this.#text('OFS'));
        this.#output += text + this.#text('ORS');
      } else if (name === 'printf') this.#output += formatted(textOf(all[0] ?? ''), all.slice(1).map(textOf));
      else if (name === 'next') return;
      else if (name === 'exit') {
        this.exitCode = numberOf(all[0] ?? 0) & 255;
        this.isOver = true;
        return;
      }
    }
  }

  #text(name: string): string {
    return textOf(this.variables.get(name) ?? '');
  }

  valueOf(expression: AwkExpression): Value {
    switch (expression.kind) {
      case 'value':
        return expression.value;
      case 'match':
        return Number(expression.expression.find(this.#fields[0]!) !== undefined);
      case 'variable':
        return this.variables.get(expression.name) ?? '';
      case 'field':
        return this.#fields[numberOf(this.valueOf(expression.index))] ?? '';
      case 'not':
        return Number(!isTrue(this.valueOf(expression.operand)));
      case 'minus':
        return -numberOf(this.valueOf(expression.operand));
      case 'assign': {
        const before = this.variables.get(expression.name) ?? 0;
        const value = this.valueOf(expression.value);
        const after = expression.operator === '' ? value : calculated(expression.operator, before, value);
        this.variables.set(expression.name, after);
        return expression.isPostfix ? before : after;
      }
      case 'call':
        return called(
          expression.name,
          expression.values.map((value) => this.valueOf(value)),
          this.#fields[0]!,
        );
      case 'binary': {
        const left = this.valueOf(expression.left);
        if (expression.operator === '&&')
          return Number(isTrue(left) && isTrue(this.valueOf(expression.right)));
        if (expression.operator === '||')
          return Number(isTrue(left) || isTrue(this.valueOf(expression.right)));
        if (expression.operator === '~' || expression.operator === '!~') {
          const { right } = expression;
          const pattern =
            right.kind === 'match'
              ? right.expression
              : compileExpression(textOf(this.valueOf(right)), { isExtended: true });
          return Number((pattern.find(textOf(left)) !== undefined) === (expression.operator === '~'));
        }
        return calculated(expression.operator, left, this.valueOf(expression.right));
      }
    }
  }
}

function splitBy(line: string, separator: string): readonly string[] {
  if (line === '') return [];
  if (separator.length === 1) return line.split(separator);
  const expression = compileExpression(separator, { isExtended: true });
  const parts: string[] = [];
  let from = 0;
  for (let match = expression.find(line); match !== undefined && match.end > match.start;) {
    parts.push(line.slice(from, match.start));
    from = match.end;
    match = expression.find(line, from);
  }
  return [...parts, line.slice(from)];
}

function calculated(operator: string, left: Value, right: Value): Value {
  if (operator === ' ') return textOf(left) + textOf(right);
  if (/^(?:[<>]=?|[=!]=)$/.test(operator)) {
    const areNumbers = [left, right].every((one) => typeof one === 'number' || looksNumeric.test(one));
    const [a, b] = areNumbers ? [numberOf(left), numberOf(right)] : [textOf(left), textOf(right)];
    const order = a < b ? -1 : a > b ? 1 : 0;
    const results: Readonly<Record<string, boolean>> = {
      '<': order < 0,
      '<=': order <= 0,
      '>': order > 0,
      '>=': order >= 0,
      '==': order === 0,
      '!=': order !== 0,
    };
    return Number(results[operator]);
  }
  const [a, b] = [numberOf(left), numberOf(right)];
  if (operator === '+') return a + b;
  if (operator === '-') return a - b;
  if (operator === '*') return a * b;
  return operator === '/' ? a / b : a % b;
}

function called(name: string, [first, second, third]: readonly Value[], line: string): Value {
  const text = textOf(first ?? line);
  if (name === 'length') return text.length;
  if (name === 'toupper') return text.toUpperCase();
  if (name === 'tolower') return text.toLowerCase();
  if (name === 'int') return Math.trunc(numberOf(first ?? 0));
  if (name === 'index') return text.indexOf(textOf(second ?? '')) + 1;
  const start = numberOf(second ?? 1);
  return text.slice(
    Math.max(0, start - 1),
    third === undefined ? undefined : Math.max(0, start - 1 + numberOf(third)),
  );
}
