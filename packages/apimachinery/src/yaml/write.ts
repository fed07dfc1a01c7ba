/**
 * Encodes plain JSON data as YAML, exactly as sigs.k8s.io/yaml (go-yaml v2) does: sorted keys, lists not indented,
 * lines broken at 80 columns, quotes only where needed.
 */

import { isRawNumber } from '@coxswain/schema/scalars/raw-number.ts';
import { goFloat } from '../go-quote.ts';
import { compareYamlKeys } from './key-order.ts';
import { resolvePlain } from './plain-scalar.ts';

/** Ends with a line break. */
export function writeYaml(value: unknown): string {
  const writer = new Writer();
  writer.node(value, -1, 'root');
  return writer.end();
}

const widthMax = 80;
const indentStep = 2;
/** Longer keys get a line of their own after a question mark. */
const simpleKeyLengthMax = 128;

type Context = 'root' | 'item' | 'value' | 'key';

class Writer {
  readonly #parts: string[] = [];
  #column = 0;
  /** Whether the last character was whitespace, so that no more is needed. */
  #whitespace = true;
  /** Whether this line has only indentation and block indicators so far. */
  #indention = true;

  end(): string {
    if (!this.#indention || this.#column > 0) this.#break('\n');
    return this.#parts.join('');
  }

  /** `indent` is that of the enclosing collection. */
  node(value: unknown, indent: number, context: Context): void {
    if (Array.isArray(value))
      return value.length === 0 ? this.#indicator('[]') : this.#sequence(value, indent, context);
    if (typeof value === 'object' && value !== null && !isRawNumber(value))
      return this.#collection(value as Record<string, unknown>, indent);
    this.#scalar(value, indent < 0 ? indentStep : indent + indentStep, context === 'key');
  }

  #collection(value: Record<string, unknown>, indent: number): void {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    if (keys.length === 0) return this.#indicator('{}');
    const inner = indent < 0 ? 0 : indent + indentStep;
    for (const key of keys.sort(compareYamlKeys)) this.#pair(key, value[key], inner);
  }

  #pair(key: string, value: unknown, indent: number): void {
    this.#indent(indent);
    if (isSimpleKey(key)) {
      this.node(key, indent, 'key');
      this.#write(':');
      this.#indention = false;
      this.#whitespace = false;
      return this.node(value, indent, 'value');
    }
    this.#indicator('?', true);
    this.node(key, indent, 'item');
    this.#indent(indent);
    this.#indicator(':', true);
    this.node(value, indent, 'item');
  }

  /** A list that is a member's value has the indentation of the member. */
  #sequence(items: readonly unknown[], indent: number, context: Context): void {
    const inner = indent < 0 ? 0 : context === 'value' ? indent : indent + indentStep;
    for (const item of items) {
      this.#indent(inner);
      this.#indicator('-', true);
      this.node(item, inner, 'item');
    }
  }

  #scalar(value: unknown, indent: number, isKey: boolean): void {
    if (typeof value !== 'string') return this.#plain(scalarText(value), indent, !isKey);
    const shape = analyze(value);
    switch (styleOf(value, shape, isKey)) {
      case 'plain':
        return this.#plain(value, indent, !isKey);
      case 'single':
        return this.#singleQuoted(value, indent, !isKey);
      case 'double':
        return this.#doubleQuoted(value, indent, !isKey);
      case 'literal':
        return this.#literal(value, indent);
    }
  }

  #plain(text: string, indent: number, mayBreak: boolean): void {
    if (!this.#whitespace) this.#write(' ');
    this.#folded([...text], indent, mayBreak, false, (character) => character);
    this.#whitespace = false;
    this.#indention = false;
  }

  #singleQuoted(text: string, indent: number, mayBreak: boolean): void {
    this.#indicator("'");
    this.#folded([...text], indent, mayBreak, true, (character) => (character === "'" ? "''" : character));
    this.#indicator("'", false, false);
  }

  /** Text that breaks at single spaces once a line is full; `inner` excludes the ends of the text. */
  #folded(
    characters: readonly string[],
    indent: number,
    mayBreak: boolean,
    inner: boolean,
    encode: (character: string) => string,
  ): void {
    let afterSpace = false;
    let afterBreak = false;
    characters.forEach((character, at) => {
      if (character === ' ') {
        const inside = !inner || (at > 0 && at < characters.length - 1);
        if (mayBreak && !afterSpace && this.#column > widthMax && inside && characters[at + 1] !== ' ')
          this.#indent(indent);
        else this.#write(' ');
        afterSpace = true;
      } else if (isBreak(character)) {
        if (!afterBreak && character === '\n') this.#break('\n');
        this.#break(character);
        this.#indention = true;
        afterBreak = true;
      } else {
        if (afterBreak) this.#indent(indent);
        this.#write(encode(character));
        this.#indention = false;
        afterSpace = false;
        afterBreak = false;
      }
    });
  }

  #doubleQuoted(text: string, indent: number, mayBreak: boolean): void {
    this.#indicator('"');
    const characters = [...text];
    let afterSpace = false;
    characters.forEach((character, at) => {
      if (character !== ' ') {
        this.#write(escapeCharacter(character));
        afterSpace = false;
        return;
      }
      const inside = at > 0 && at < characters.length - 1;
      if (mayBreak && !afterSpace && this.#column > widthMax && inside) {
        this.#indent(indent);
        if (characters[at + 1] === ' ') this.#write('\\');
      } else this.#write(' ');
      afterSpace = true;
    });
    this.#indicator('"', false, false);
  }

  #literal(text: string, indent: number): void {
    this.#indicator('|');
    this.#write(literalHints(text));
    this.#break('\n');
    this.#indention = true;
    this.#whitespace = true;
    let afterBreak = true;
    for (const character of text) {
      if (isBreak(character)) {
        this.#break(character);
        this.#indention = true;
        afterBreak = true;
        continue;
      }
      if (afterBreak) this.#indent(indent);
      this.#write(character);
      this.#indention = false;
      afterBreak = false;
    }
  }

  /** Moves to column `indent` of this line if it has only indentation so far, otherwise of the next. */
  #indent(indent: number): void {
    if (!this.#indention || this.#column > indent || (this.#column === indent && !this.#whitespace))
      this.#break('\n');
    if (this.#column < indent) this.#write(' '.repeat(indent - this.#column));
    this.#whitespace = true;
    this.#indention = true;
  }

  /** `block`: a `-`, `?` or `:` after which a collection may continue in the same line. */
  #indicator(text: string, block = false, spaced = true): void {
    if (spaced && !this.#whitespace) this.#write(' ');
    this.#write(text);
    this.#whitespace = false;
    if (block) {
      this.#write(' ');
      this.#whitespace = true;
    }
    this.#indention = this.#indention && block;
  }

  #write(text: string): void {
    this.#parts.push(text);
    this.#column += text.length === 1 ? 1 : [...text].length;
  }

  #break(character: string): void {
    this.#parts.push(character);
    this.#column = 0;
  }
}

function scalarText(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (isRawNumber(value)) return JSON.stringify(value);
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return goFloat(value);
  return String(value);
}

const isSimpleKey = (key: string): boolean =>
  !/[\r\n\u0085\u2028\u2029]/.test(key) && new TextEncoder().encode(key).length <= simpleKeyLengthMax;

interface Shape {
  readonly plainAllowed: boolean;
  readonly singleAllowed: boolean;
  readonly blockAllowed: boolean;
}

type Style = 'plain' | 'single' | 'double' | 'literal';

function styleOf(text: string, shape: Shape, isKey: boolean): Style {
  if (text.includes('\n')) return shape.blockAllowed && !isKey ? 'literal' : 'double';
  if (resolvePlain(text).kind !== 'string' || base60.test(text)) return 'double';
  if (shape.plainAllowed) return 'plain';
  return shape.singleAllowed ? 'single' : 'double';
}

/** Numbers like 1:30 are quoted for YAML 1.1 parsers that treat them as sexagesimal. */
const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** The styles in which the characters of a text allow it to be written. */
function analyze(text: string): Shape {
  const special = hasSpecial(text);
  const spaceBeforeBreak = / [\r\n\u0085\u2028\u2029]/.test(text);
  const breakBeforeSpace = /[\r\n\u0085\u2028\u2029] /.test(text);
  const edges = /^[ \r\n\u0085\u2028\u2029]|[ \r\n\u0085\u2028\u2029]$/.test(text);
  const breaks = /[\r\n\u0085\u2028\u2029]/.test(text);
  return {
    plainAllowed:
      !special && !spaceBeforeBreak && !breakBeforeSpace && !edges && !breaks && !hasIndicators(text),
    singleAllowed: !special && !spaceBeforeBreak && !breakBeforeSpace,
    blockAllowed: !special && !spaceBeforeBreak && !text.endsWith(' '),
  };
}

const hasIndicators = (text: string): boolean =>
  /^(?:---|\.\.\.)|^[#,[\]{}&*!|>'"%@`]|^[-?:](?:[ \t]|$)|:(?:[ \t]|$)|[ \t\0\r\n\u0085\u2028\u2029]#/.test(
    text,
  );

/** Not printable to go-yaml: control characters, tabs, the byte order mark, and everything beyond the basic plane. */
const hasSpecial = (text: string): boolean =>
  /[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/.test(text);

const isBreak = (character: string): boolean =>
  character === '\n' ||
  character === '\r' ||
  character === '\u0085' ||
  character === '\u2028' ||
  character === '\u2029';

function literalHints(text: string): string {
  const first = text[0]!;
  const indentHint = first === ' ' || isBreak(first) ? String(indentStep) : '';
  const last = [...text].slice(-2);
  if (!isBreak(last.at(-1)!)) return `${indentHint}-`;
  return last.length === 1 || isBreak(last[0]!) ? `${indentHint}+` : indentHint;
}

const namedEscapes: Readonly<Record<string, string>> = {
  '\0': '0',
  '\u0007': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\u001b': 'e',
  '"': '"',
  '\\': '\\',
  '\u0085': 'N',
  '\u00a0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
};

function escapeCharacter(character: string): string {
  if (!hasSpecial(character) && !isBreak(character) && character !== '"' && character !== '\\')
    return character;
  const named = namedEscapes[character];
  if (named !== undefined) return `\\${named}`;
  const code = character.codePointAt(0)!;
  const hex = (digits: number) => code.toString(16).toUpperCase().padStart(digits, '0');
  if (code <= 0xff) return `\\x${hex(2)}`;
  return code <= 0xffff ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}
