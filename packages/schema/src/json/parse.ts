/** The exact JSON parser: lossless, with the messages of Go's encoding/json. */

import { goQuote } from '../scalars/go-quote.ts';
import { JsonNumber, JsonObject, type JsonTree } from './tree.ts';

/**
 * The maximum nesting of arrays and objects. Upstream allows 10,000; here all traversals are recursive, and this limit
 * keeps them from exhausting the stack.
 */
const jsonDepthMax = 1_000;

export class JsonSyntaxError extends Error {}

/** @throws JsonSyntaxError `invalid character 'x' looking for beginning of value`, `unexpected end of JSON input`, … */
export function parseJsonTree(text: string): JsonTree {
  const reader = new Reader(text);
  const tree = reader.value(0);
  reader.end();
  return tree;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): JsonTree {
    const character = this.#next();
    switch (character) {
      case '{':
        return this.#object(depth + 1);
      case '[':
        return this.#array(depth + 1);
      case '"':
        return this.#string();
      case 't':
        return this.#literal('true', true);
      case 'f':
        return this.#literal('false', false);
      case 'n':
        return this.#literal('null', null);
      default:
        if (character === '-' || isDigit(character)) return this.#number();
        return this.#fail('looking for beginning of value');
    }
  }

  end(): void {
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#fail('after top-level value');
  }

  #object(depth: number): JsonObject {
    if (depth > jsonDepthMax) this.#fail('exceeded max depth');
    this.#at++;
    const object = new JsonObject();
    if (this.#next() === '}') {
      this.#at++;
      return object;
    }
    for (;;) {
      if (this.#next() !== '"') this.#fail('looking for beginning of object key string');
      object.names.push(this.#string().toWellFormed());
      if (this.#next() !== ':') this.#fail('after object key');
      this.#at++;
      object.values.push(this.value(depth));
      const separator = this.#next();
      if (separator !== ',' && separator !== '}') this.#fail('after object key:value pair');
      this.#at++;
      if (separator === '}') return object;
    }
  }

  #array(depth: number): JsonTree[] {
    if (depth > jsonDepthMax) this.#fail('exceeded max depth');
    this.#at++;
    const items: JsonTree[] = [];
    if (this.#next() === ']') {
      this.#at++;
      return items;
    }
    for (;;) {
      items.push(this.value(depth));
      const separator = this.#next();
      if (separator !== ',' && separator !== ']') this.#fail('after array element');
      this.#at++;
      if (separator === ']') return items;
    }
  }

  #string(): string {
    let result = '';
    let start = ++this.#at;
    for (;;) {
      const character = this.#current();
      if (character === '"') break;
      if (character === '\\') {
        result += this.#text.slice(start, this.#at) + this.#escape();
        start = this.#at;
      } else {
        if (character < ' ') this.#fail('in string literal');
        this.#at++;
      }
    }
    result += this.#text.slice(start, this.#at);
    this.#at++;
    return result;
  }

  #escape(): string {
    this.#at++;
    const character = this.#current();
    if (character !== 'u') {
      const plain = escapes[character];
      if (plain === undefined) this.#fail('in string escape code');
      this.#at++;
      return plain!;
    }
    this.#at++;
    for (let digit = 0; digit < 4; digit++, this.#at++) {
      if (!/[0-9a-fA-F]/.test(this.#current())) this.#fail('in \\u hexadecimal character escape');
    }
    return String.fromCharCode(Number.parseInt(this.#text.slice(this.#at - 4, this.#at), 16));
  }

  #literal<T>(word: string, value: T): T {
    for (let index = 0; index < word.length; index++, this.#at++) {
      const expected = word.charAt(index);
      if (this.#current() !== expected) this.#fail(`in literal ${word} (expecting '${expected}')`);
    }
    return value;
  }

  #number(): JsonNumber {
    const start = this.#at;
    if (this.#peek() === '-') this.#at++;
    if (!isDigit(this.#current())) this.#fail('in numeric literal');
    if (this.#peek() === '0') this.#at++;
    else this.#digits();
    if (this.#peek() === '.') {
      this.#at++;
      if (!isDigit(this.#current())) this.#fail('after decimal point in numeric literal');
      this.#digits();
    }
    if (this.#peek() === 'e' || this.#peek() === 'E') {
      this.#at++;
      if (this.#current() === '+' || this.#peek() === '-') this.#at++;
      if (!isDigit(this.#current())) this.#fail('in exponent of numeric literal');
      this.#digits();
    }
    return new JsonNumber(this.#text.slice(start, this.#at));
  }

  #digits(): void {
    while (isDigit(this.#peek())) this.#at++;
  }

  #skipSpace(): void {
    while (/[ \t\r\n]/.test(this.#peek())) this.#at++;
  }

  /** The next character that is not whitespace. */
  #next(): string {
    this.#skipSpace();
    return this.#current();
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #current(): string {
    if (this.#at >= this.#text.length) throw new JsonSyntaxError('unexpected end of JSON input');
    return this.#text.charAt(this.#at);
  }

  #fail(context: string): never {
    throw new JsonSyntaxError(`invalid character ${quotedByte(this.#text, this.#at)} ${context}`);
  }
}

const isDigit = (character: string): boolean =>
  character >= '0' && character <= '9' && character.length === 1;

/** Go works with bytes: of a non-ASCII character it names the first byte. */
function quotedByte(text: string, at: number): string {
  const [byte = 0] = new TextEncoder().encode(String.fromCodePoint(text.codePointAt(at)!));
  const character = String.fromCharCode(byte);
  if (character === "'") return "'\\''";
  if (character === '"') return `'"'`;
  return `'${goQuote(character).slice(1, -1)}'`;
}
