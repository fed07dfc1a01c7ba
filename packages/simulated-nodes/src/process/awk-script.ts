/** The parser of programs for `awk`. */
import { compileExpression, type Expression } from './posix-expression.ts';
import { unescaped } from './printf-program.ts';

export type AwkExpression =
  | { readonly kind: 'value'; readonly value: string | number }
  | { readonly kind: 'match'; readonly expression: Expression }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'field'; readonly index: AwkExpression }
  | { readonly kind: 'not' | 'minus'; readonly operand: AwkExpression }
  | {
      readonly kind: 'assign';
      readonly name: string;
      /** Empty for `=`. */
      readonly operator: string;
      readonly value: AwkExpression;
      readonly isPostfix: boolean;
    }
  | { readonly kind: 'call'; readonly name: string; readonly values: readonly AwkExpression[] }
  | {
      readonly kind: 'binary';
      /** A space joins two texts. */
      readonly operator: string;
      readonly left: AwkExpression;
      readonly right: AwkExpression;
    };

export interface AwkStatement {
  readonly name: 'print' | 'printf' | 'next' | 'exit' | 'evaluate';
  readonly values: readonly AwkExpression[];
}

export interface AwkRule {
  readonly when: 'BEGIN' | 'line' | 'END';
  readonly pattern: AwkExpression | undefined;
  readonly action: readonly AwkStatement[];
}

/** Operators from weak to strong; between the last two groups, texts are joined. */
const operators: readonly RegExp[] = [
  /^\|\|/,
  /^&&/,
  /^!?~/,
  /^(?:[<>]=?|[=!]=)/,
  /^(?: )/,
  /^[-+](?![-+=])/,
  /^[*/%](?!=)/,
];
const joining = 4;

const functions = /^(?:length|substr|index|toupper|tolower|int)\b/;

/** The maximum depth of parentheses. */
const depthMax = 100;

/** @throws Error in BusyBox's words */
export const parseAwk = (script: string): readonly AwkRule[] => new AwkParser(script).rules();

class AwkParser {
  #rest: string;
  #depth = 0;

  constructor(script: string) {
    this.#rest = script;
  }

  rules(): readonly AwkRule[] {
    const rules: AwkRule[] = [];
    for (;;) {
      this.#take(/^(?:[\s;]|#[^\n]*)*/);
      if (this.#rest === '') return rules;
      const when = this.#take(/^(?:BEGIN|END)\b/) ?? 'line';
      const pattern = when !== 'line' || this.#rest.startsWith('{') ? undefined : this.#expression();
      this.#take(/^\s*/);
      const action = this.#take(/^\{/) === undefined ? undefined : this.#action();
      rules.push({
        when: when as AwkRule['when'],
        pattern,
        action: action ?? [{ name: 'print', values: [] }],
      });
    }
  }

  #action(): readonly AwkStatement[] {
    const statements: AwkStatement[] = [];
    for (;;) {
      this.#take(/^(?:[\s;]|#[^\n]*)*/);
      if (this.#take(/^\}/) !== undefined) return statements;
      const name = this.#take(/^(?:print|printf|next|exit)\b/) ?? 'evaluate';
      const isWrapped = this.#take(/^\s*\((?=[^]*\)\s*[;}\n])/) !== undefined;
      const values: AwkExpression[] = [];
      while (!/^\s*(?:[;}\n)]|$)/.test(this.#rest)) {
        values.push(this.#expression());
        if (this.#take(/^\s*,\s*/) === undefined) break;
      }
      if (isWrapped && this.#take(/^\s*\)/) === undefined) throw unexpected();
      if (!/^\s*[;}\n]/.test(this.#rest)) throw unexpected();
      statements.push({ name: name as AwkStatement['name'], values });
    }
  }

  #expression(): AwkExpression {
    if (++this.#depth > depthMax) throw unexpected();
    const assigned = /^\s*([A-Za-z_]\w*)\s*([-+*/%]?)=(?!=)/.exec(this.#rest);
    let result: AwkExpression;
    if (assigned !== null) {
      const [whole, name = '', operator = ''] = assigned;
      this.#rest = this.#rest.slice(whole.length);
      result = { kind: 'assign', name, operator, value: this.#expression(), isPostfix: false };
    } else result = this.#binary(0);
    this.#depth--;
    return result;
  }

  #binary(level: number): AwkExpression {
    const pattern = operators[level];
    if (pattern === undefined) return this.#operand();
    let left = this.#binary(level + 1);
    for (;;) {
      this.#take(/^[ \t]+/);
      const joins = level === joining && /^["$\w(]/.test(this.#rest) && !/^in\b/.test(this.#rest);
      const operator = level === joining ? (joins ? ' ' : undefined) : this.#take(pattern);
      if (operator === undefined) return left;
      left = { kind: 'binary', operator, left, right: this.#binary(level + 1) };
    }
  }

  #operand(): AwkExpression {
    this.#take(/^\s+/);
    if (this.#take(/^!(?!=|~)/) !== undefined) return { kind: 'not', operand: this.#operand() };
    if (this.#take(/^-(?!-)/) !== undefined) return { kind: 'minus', operand: this.#operand() };
    if (this.#take(/^\$/) !== undefined) return { kind: 'field', index: this.#operand() };
    if (this.#take(/^\(/) !== undefined) {
      const inner = this.#expression();
      if (this.#take(/^\s*\)/) === undefined) throw unexpected();
      return inner;
    }
    const text = this.#take(/^"(?:\\[^]|[^"\\])*"/);
    if (text !== undefined)
      return { kind: 'value', value: unescaped(text.slice(1, -1).replaceAll(/\\(["/])/g, '$1')) };
    const source = this.#take(/^\/(?:\\[^]|[^/\\])*\//);
    if (source !== undefined) {
      const plain = source.slice(1, -1).replaceAll('\\/', '/');
      return { kind: 'match', expression: compileExpression(plain, { isExtended: true }) };
    }
    const number = this.#take(/^(?:\d+\.?\d*|\.\d+)/);
    if (number !== undefined) return { kind: 'value', value: Number(number) };
    const called = this.#take(functions);
    if (called !== undefined) return { kind: 'call', name: called, values: this.#arguments() };
    const changed = this.#take(/^(?:\+\+|--)/);
    if (
      /^(?:if|else|while|for|do|function|getline|delete|in|return|break|continue|split|gsub|sub|match)\b/.test(
        this.#rest,
      )
    )
      throw unexpected();
    const name = this.#take(/^[A-Za-z_]\w*(?!\w*[[(])/);
    if (name === undefined) throw unexpected();
    const change = changed ?? this.#take(/^(?:\+\+|--)/);
    if (change === undefined) return { kind: 'variable', name };
    const value: AwkExpression = { kind: 'value', value: 1 };
    return { kind: 'assign', name, operator: change[0]!, value, isPostfix: changed === undefined };
  }

  #arguments(): readonly AwkExpression[] {
    const values: AwkExpression[] = [];
    if (this.#take(/^\s*\(/) === undefined) return values;
    while (this.#take(/^\s*\)/) === undefined) {
      values.push(this.#expression());
      if (this.#take(/^\s*,/) === undefined && !/^\s*\)/.test(this.#rest)) throw unexpected();
    }
    return values;
  }

  #take(pattern: RegExp): string | undefined {
    const found = pattern.exec(this.#rest)?.[0];
    if (found !== undefined) this.#rest = this.#rest.slice(found.length);
    return found;
  }
}

const unexpected = (): Error => new Error('Unexpected token');
