/** Parses the JSONPath of client-go's util/jsonpath: text with expressions in braces. */
import { appendAll } from '../append-all.ts';
import { isPrintable } from '../go-quote.ts';
import { TypedNumber } from './value.ts';
import { unquote } from '../go-unquote.ts';

export type JsonPathNode =
  | ListNode
  | ArrayNode
  | FilterNode
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'literal'; readonly value: TypedNumber | boolean }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | { readonly type: 'union'; readonly nodes: readonly ListNode[] }
  | { readonly type: 'identifier'; readonly name: string };

export interface ListNode {
  readonly type: 'list';
  readonly nodes: JsonPathNode[];
}

export interface ArrayNode {
  readonly type: 'array';
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** For an index, `to` is the number after it. */
  readonly isIndex: boolean;
  readonly step: number | undefined;
}

export interface FilterNode {
  readonly type: 'filter';
  readonly left: ListNode;
  readonly right: ListNode;
  /** As written, even if unknown; `exists` if there is none. */
  readonly operator: string;
}

/** @throws Error with client-go's message */
export function parseJsonPath(text: string): ListNode {
  const parser = new Parser(text);
  parser.parse();
  return parser.root;
}

/** An expression without its braces. */
const parseExpression = (text: string): ListNode => parseJsonPath(`{${text}}`).nodes[0] as ListNode;

const digit = /\p{Nd}/u;
const startOfName = /[_\p{L}\p{Nd}]/u;
const endOfName = /[ \t\r\n.,[\]$@{}]/;

class Parser {
  readonly root: ListNode = { type: 'list', nodes: [] };
  readonly #input: string;
  #at = 0;
  #start = 0;

  constructor(input: string) {
    this.#input = input;
  }

  parse(): void {
    while (this.#parseText()) this.#parseAction();
  }

  /** The next character, a whole code point; empty at the end. */
  #peek(): string {
    const code = this.#input.codePointAt(this.#at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  #next(): string {
    const character = this.#peek();
    this.#at += character.length;
    return character;
  }

  #take(): string {
    const text = this.#input.slice(this.#start, this.#at);
    this.#start = this.#at;
    return text;
  }

  /** Skips `length` known characters. */
  #skip(length: number): void {
    this.#at += length;
    this.#take();
  }

  #startsWith(prefix: string): boolean {
    return this.#input.startsWith(prefix, this.#at);
  }

  /** Whether an expression follows. */
  #parseText(): boolean {
    const brace = this.#input.indexOf('{', this.#at);
    this.#at = brace < 0 ? this.#input.length : brace;
    if (this.#at > this.#start) this.root.nodes.push({ type: 'text', text: this.#take() });
    return brace >= 0;
  }

  #parseAction(): void {
    this.#skip(1);
    const list: ListNode = { type: 'list', nodes: [] };
    this.root.nodes.push(list);
    while (!this.#startsWith('}')) {
      if (this.#startsWith('[?(')) list.nodes.push(this.#parseFilter());
      else if (this.#startsWith('..')) this.#parseRecursive(list);
      else this.#parseOne(list);
    }
    this.#skip(1);
  }

  #parseOne({ nodes }: ListNode): void {
    const character = this.#next();
    if (character === '' || character === '\n' || character === '\r') throw new Error('unclosed action');
    // The current object needs no keyword.
    if (character === ' ' || character === '@' || character === '$') this.#take();
    else if (character === '[') appendAll(nodes, this.#parseArray());
    else if (character === '"' || character === "'") nodes.push(this.#parseQuote(character));
    else if (character === '.') nodes.push(this.#parseField());
    else if (character === '+' || character === '-' || digit.test(character)) nodes.push(this.#parseNumber());
    else if (startOfName.test(character)) nodes.push(this.#parseIdentifier());
    else throw new Error(`unrecognized character in action: ${goCharacter(character)}`);
  }

  #parseIdentifier(): JsonPathNode {
    while (!this.#isEndOfName()) this.#next();
    const name = this.#take();
    return name === 'true' || name === 'false'
      ? { type: 'literal', value: name === 'true' }
      : { type: 'identifier', name };
  }

  #parseRecursive({ nodes }: ListNode): void {
    if (nodes.at(-1)?.type === 'recursive') throw new Error('invalid multiple recursive descent');
    this.#skip(2);
    nodes.push({ type: 'recursive' });
    if (startOfName.test(this.#peek())) nodes.push(this.#parseField());
  }

  #parseNumber(): JsonPathNode {
    while (this.#peek() === '.' || digit.test(this.#peek())) this.#next();
    return { type: 'literal', value: numberOf(this.#take()) };
  }

  #parseArray(): readonly JsonPathNode[] {
    for (let character = this.#next(); character !== ']'; character = this.#next()) {
      if (character === '' || character === '\n') throw new Error('unterminated array');
    }
    const inside = this.#take().slice(1, -1);
    const text = inside === '*' ? ':' : inside;
    const parts = text.split(',');
    if (parts.length > 1) {
      const nodes = parts.map((part) => parseExpression(`[${part.replace(/^ +| +$/g, '')}]`));
      return [{ type: 'union', nodes }];
    }
    const key = /^'([^']*)'$/.exec(text);
    return key === null ? [arrayNode(text)] : parseExpression(`.${key[1]}`).nodes;
  }

  #parseFilter(): FilterNode {
    this.#skip('[?('.length);
    this.#passFilter();
    if (this.#next() !== ']') throw new Error('unclosed array expect ]');
    const text = this.#take().slice(0, -')]'.length);
    const match = /^([^!<>=]+)([!<>=]+)([^\n]+)$/.exec(text);
    if (match === null) {
      return {
        type: 'filter',
        left: parseExpression(text),
        right: { type: 'list', nodes: [] },
        operator: 'exists',
      };
    }
    const [, left = '', operator = '', right = ''] = match;
    return { type: 'filter', left: parseExpression(left), right: parseExpression(right), operator };
  }

  /** Up to the closing bracket; a bracket within the first quotes is text. */
  #passFilter(): void {
    let quote = '';
    let isClosed = false;
    for (;;) {
      const character = this.#next();
      if (character === '' || character === '\n') throw new Error('unterminated filter');
      if (character === '"' || character === "'") {
        if (quote === '') quote = character;
        else if (character === quote && !this.#isEscaped()) isClosed = true;
      } else if (character === ')' && (quote !== '') === isClosed) return;
    }
  }

  #parseQuote(quote: string): JsonPathNode {
    for (let character = this.#next(); character !== quote || this.#isEscaped(); character = this.#next()) {
      if (character === '' || character === '\n') throw new Error('unterminated quoted string');
    }
    const quoted = this.#take();
    const text = unquote(quoted);
    if (text === undefined) throw new Error(`unquote string ${quoted} error invalid syntax`);
    return { type: 'text', text };
  }

  /** Whether a backslash precedes the quote just read. */
  #isEscaped(): boolean {
    return this.#input[this.#at - 2] === '\\';
  }

  #parseField(): JsonPathNode {
    this.#take();
    while (!this.#isEndOfName()) if (this.#next() === '\\') this.#next();
    const name = this.#take();
    return name === '*' ? { type: 'wildcard' } : { type: 'field', name: name.replaceAll('\\', '') };
  }

  #isEndOfName(): boolean {
    const character = this.#peek();
    return character === '' || endOfName.test(character);
  }
}

/** `%#U` */
function goCharacter(character: string): string {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return `U+${code}${isPrintable(character) ? ` '${character}'` : ''}`;
}

const int64Limit = 2n ** 63n;

function numberOf(text: string): TypedNumber {
  if (/^[-+]?[0-9]+$/.test(text)) {
    const value = BigInt(text.replace(/^\+/, ''));
    if (value < int64Limit && value >= -int64Limit) return new TypedNumber(value, 'int');
  }
  if (!/^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)$/.test(text)) throw new Error(`cannot parse number ${text}`);
  return new TypedNumber(Number(text), 'float');
}

function arrayNode(text: string): ArrayNode {
  const match = /^(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?$/.exec(text);
  if (match === null) throw new Error(`invalid array index ${text}`);
  const [from, to, step] = match.slice(1).map(indexOf);
  const isIndex = match[2] === undefined;
  return { type: 'array', from, to: isIndex ? (from ?? 0) + 1 : to, isIndex, step };
}

function indexOf(part: string | undefined): number | undefined {
  const digits = part?.replace(/^:/, '') ?? '';
  if (digits === '') return undefined;
  const index = Number(digits);
  if (Number.isNaN(index) || !Number.isSafeInteger(index)) {
    throw new Error(`array index ${digits} is not a number`);
  }
  return index;
}
