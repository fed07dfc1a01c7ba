/** The parser of scripts for `sed`. */
import { compileExpression, type Expression } from './posix-expression.ts';

export type SedAddress =
  | { readonly kind: 'line'; readonly number: number }
  | { readonly kind: 'last' }
  | { readonly kind: 'match'; readonly expression: Expression }
  | { readonly kind: 'step'; readonly first: number; readonly step: number }
  | { readonly kind: 'more'; readonly count: number };

type SedAction =
  | { readonly kind: 'block'; readonly body: readonly SedCommand[] }
  | {
      readonly kind: 'substitute';
      /** Undefined if nothing matches. */
      readonly replace: (line: string) => string | undefined;
      readonly prints: boolean;
    }
  | { readonly kind: 'translate'; readonly letters: ReadonlyMap<string, string> }
  | { readonly kind: 'text'; readonly name: 'a' | 'i' | 'c'; readonly text: string }
  | { readonly kind: 'plain'; readonly name: string; readonly exitCode: number };

export type SedCommand = SedAction & {
  readonly addresses: readonly SedAddress[];
  readonly isNegated: boolean;
};

/** @throws Error in BusyBox's words */
export function parseSed(script: string, isExtended: boolean): readonly SedCommand[] {
  const parser = new SedParser(script, isExtended);
  const commands = parser.commands();
  if (!parser.isAtEnd) throw new Error('unexpected }');
  return commands;
}

class SedParser {
  #rest: string;
  readonly #isExtended: boolean;
  #last: Expression | undefined;

  constructor(script: string, isExtended: boolean) {
    this.#rest = script;
    this.#isExtended = isExtended;
  }

  get isAtEnd(): boolean {
    return this.#rest === '';
  }

  commands(): readonly SedCommand[] {
    const commands: SedCommand[] = [];
    for (;;) {
      this.#take(/^(?:[\s;]|#[^\n]*)*/);
      if (this.isAtEnd || this.#rest.startsWith('}')) return commands;
      const first = this.#address();
      const second =
        first !== undefined && this.#take(/^\s*,\s*/) !== undefined ? this.#address(true) : undefined;
      const addresses = [first, second].flatMap((one) => (one === undefined ? [] : [one]));
      const isNegated = this.#take(/^\s*!+\s*/) !== undefined;
      this.#take(/^\s*/);
      commands.push({ ...this.#action(), addresses, isNegated });
    }
  }

  #address(isSecond = false): SedAddress | undefined {
    const step = this.#take(/^\d+~\d+/);
    if (step !== undefined) {
      const [first = 0, every = 0] = step.split('~').map(Number);
      return { kind: 'step', first, step: every };
    }
    const number = this.#take(/^\d+/);
    if (number !== undefined) return { kind: 'line', number: Number(number) };
    if (this.#take(/^\$/) !== undefined) return { kind: 'last' };
    const more = isSecond ? this.#take(/^\+\d+/) : undefined;
    if (more !== undefined) return { kind: 'more', count: Number(more) };
    const separator = this.#take(/^(?:\/|\\.)/)?.at(-1);
    if (separator === undefined) {
      if (isSecond) throw new Error('unexpected ,');
      return undefined;
    }
    const source = this.#until(separator);
    const ignoresCase = this.#take(/^I/) !== undefined;
    return { kind: 'match', expression: this.#expression(source, ignoresCase) };
  }

  #action(): SedAction {
    const name = this.#take(/^[^]/) ?? '';
    switch (name) {
      case '{': {
        const body = this.commands();
        if (this.#take(/^\}/) === undefined) throw new Error('unmatched {');
        return { kind: 'block', body };
      }
      case 's':
        return this.#substitute();
      case 'y': {
        const separator = this.#take(/^[^]/) ?? '';
        const [from, to] = [this.#until(separator), this.#until(separator)].map(unescaped);
        return {
          kind: 'translate',
          letters: new Map([...from!].map((letter, at) => [letter, [...to!][at] ?? ''])),
        };
      }
      case 'a':
      case 'i':
      case 'c': {
        this.#take(/^[ \t]*(?:\\\n?)?[ \t]*/);
        const text = this.#take(/^(?:\\[^]|[^\\\n])*/) ?? '';
        return { kind: 'text', name, text: text.replaceAll(/\\([^])/g, '$1') };
      }
      case 'p':
      case 'd':
      case '=':
      case 'q': {
        const exitCode = name === 'q' ? Number(this.#take(/^[ \t]*\d+/) ?? 0) : 0;
        if (this.#take(/^[ \t]*(?=$|[\n;}#])/) === undefined)
          throw new Error('extra characters after command');
        return { kind: 'plain', name, exitCode };
      }
    }
    throw new Error(name === '' ? 'missing command' : `unsupported command ${name}`);
  }

  #substitute(): SedAction {
    const separator = this.#take(/^[^]/) ?? '';
    const source = this.#until(separator);
    const replacement = this.#until(separator);
    const flags = this.#take(/^[gpiI0-9]*/) ?? '';
    if (this.#take(/^[ \t]*(?=$|[\n;}#])/) === undefined) throw new Error('unknown option to s');
    const expression = this.#expression(source, /[iI]/.test(flags));
    const isGlobal = flags.includes('g');
    const nth = Number(/\d+/.exec(flags)?.[0] ?? 1);
    return {
      kind: 'substitute',
      prints: flags.includes('p'),
      replace: (line) => substituted(line, { expression, replacement, isGlobal, nth }),
    };
  }

  /** An empty expression is the last one. */
  #expression(source: string, ignoresCase: boolean): Expression {
    if (source === '' && this.#last === undefined) throw new Error('no previous regexp');
    if (source !== '') this.#last = compileExpression(source, { isExtended: this.#isExtended, ignoresCase });
    return this.#last!;
  }

  /** Up to the separator, which is consumed. In brackets it stands for itself. */
  #until(separator: string): string {
    let text = '';
    for (;;) {
      const next = this.#take(/^(?:\\[^]|\[\^?\]?[^\]\n]*\]|[^])/);
      if (next === undefined) throw new Error(`unmatched '${separator}'`);
      if (next === separator) return text;
      if (next.length > 2 && next.includes(separator)) {
        // A bracket that is not closed before the separator.
        const end = next.indexOf(separator);
        this.#rest = next.slice(end) + this.#rest;
        text += next.slice(0, end);
      } else text += next === `\\${separator}` ? separator : next;
    }
  }

  #take(pattern: RegExp): string | undefined {
    const found = pattern.exec(this.#rest)?.[0];
    if (found !== undefined) this.#rest = this.#rest.slice(found.length);
    return found;
  }
}

interface Substitution {
  readonly expression: Expression;
  readonly replacement: string;
  readonly isGlobal: boolean;
  /** The first match that is replaced. */
  readonly nth: number;
}

function substituted(
  line: string,
  { expression, replacement, isGlobal, nth }: Substitution,
): string | undefined {
  let result = '';
  let [from, count, isChanged] = [0, 0, false];
  for (let search = 0; search <= line.length;) {
    const match = expression.find(line, search);
    if (match === undefined) break;
    // An empty match right after another match does not count.
    const counts = match.end > match.start || match.start !== from || from === 0;
    if (counts && ++count >= nth) {
      result += line.slice(from, match.start) + filled(replacement, match.groups);
      from = match.end;
      isChanged = true;
      if (!isGlobal) break;
    }
    search = match.end > match.start ? match.end : match.end + 1;
  }
  return isChanged ? result + line.slice(from) : undefined;
}

/** `&` and `\1` are what was matched. */
const filled = (replacement: string, groups: readonly string[]): string =>
  replacement.replaceAll(/\\([^])|&/g, (whole, letter: string | undefined) => {
    if (whole === '&') return groups[0]!;
    if (/\d/.test(letter!)) return groups[Number(letter)] ?? '';
    return unescaped(whole);
  });

const unescaped = (text: string): string =>
  text.replaceAll(/\\([^])/g, (_whole, letter: string) => ({ n: '\n', t: '\t', r: '\r' })[letter] ?? letter);
