/** Splits text into tokens. Invalid text is reported and skipped one character at a time. */

import { keywords, punctuation, token, type Token } from './token.ts';

export interface LexerResult {
  /** Ends with an end-of-file token. */
  readonly tokens: readonly Token[];
  readonly errors: readonly LexerError[];
}

export interface LexerError {
  readonly offset: number;
  readonly text: string;
}

export function tokenize(text: string): LexerResult {
  const tokens: Token[] = [];
  const errors: LexerError[] = [];
  let offset = 0;
  while (offset < text.length) {
    const blankEnd = matchEnd(blank, text, offset);
    if (blankEnd > offset) {
      offset = blankEnd;
      continue;
    }
    const found = nextToken(text, offset);
    if (found) {
      tokens.push(found);
      offset += found.text.length;
    } else {
      const end = Math.min(text.length, endOfCharacter(text, deadEnd(text, offset)));
      errors.push({ offset, text: text.slice(offset, end) });
      offset = end;
    }
  }
  tokens.push({ type: token.endOfFile, text: '<EOF>', offset: text.length });
  return { tokens, errors };
}

const blank = /(?:[\t \r\n\f]|\/\/[^\n]*)+/y;
const identifier = /[A-Za-z_][A-Za-z0-9_]*/y;
const escapedIdentifier = /`[A-Za-z0-9_.\-/ ]+`/y;
const float = /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)/y;
const uint = /(?:0x[0-9a-fA-F]+|\d+)[uU]/y;
const int = /(?:0x[0-9a-fA-F]+|\d+)/y;

const escape = String.raw`\\(?:[abfnrtv"'\\?\x60]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})`;
const tripleQuoted = [`"""(?:${escape}|[^\\\\])*?"""`, `'''(?:${escape}|[^\\\\])*?'''`];
const quoted = [`"(?:${escape}|[^\\\\"\\n\\r])*"`, `'(?:${escape}|[^\\\\'\\n\\r])*'`];
const rawTripleQuoted = [`[rR]"""[^]*?"""`, `[rR]'''[^]*?'''`];
const rawQuoted = [`[rR]"[^"\\n\\r]*"`, `[rR]'[^'\\n\\r]*'`];
const stringBody = [...tripleQuoted, ...rawTripleQuoted, ...quoted, ...rawQuoted].join('|');
const string = new RegExp(stringBody, 'y');
const bytes = new RegExp(`[bB](?:${stringBody})`, 'y');

function nextToken(text: string, offset: number): Token | undefined {
  const code = text.charCodeAt(offset);
  const isDigit = code >= 0x30 && code <= 0x39;
  if (isDigit || code === 0x2e) {
    const number = isDigit ? numberToken(text, offset) : match(float, token.float, text, offset);
    if (number) return number;
  }
  const literal = match(bytes, token.bytes, text, offset) ?? match(string, token.string, text, offset);
  if (literal) return literal;
  const word = match(identifier, token.identifier, text, offset);
  if (word) return { ...word, type: keywords.get(word.text) ?? token.identifier };
  const symbol = punctuation.find(([symbolText]) => text.startsWith(symbolText, offset));
  if (symbol) return { type: symbol[1], text: symbol[0], offset };
  return match(escapedIdentifier, token.escapedIdentifier, text, offset);
}

const numberToken = (text: string, offset: number): Token | undefined =>
  match(float, token.float, text, offset) ??
  match(uint, token.uint, text, offset) ??
  match(int, token.int, text, offset);

function match(pattern: RegExp, type: number, text: string, offset: number): Token | undefined {
  const end = matchEnd(pattern, text, offset);
  return end > offset ? { type, text: text.slice(offset, end), offset } : undefined;
}

function matchEnd(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** The character at which no token can be continued, which is the last one reported and skipped. */
function deadEnd(text: string, offset: number): number {
  const first = text[offset];
  if (first === '"' || first === "'") return deadEndOfString(text, offset + 1);
  if (first === '`') return Math.max(matchEnd(/[A-Za-z0-9_.\-/ ]+/y, text, offset + 1), offset + 1);
  if (first === '&' || first === '|' || first === '=') return offset + 1;
  return offset;
}

function deadEndOfString(text: string, start: number): number {
  const plain = /(?:[^\\\n\r])*/y;
  const escaped = new RegExp(escape, 'y');
  let offset = start;
  for (;;) {
    offset = Math.max(offset, matchEnd(plain, text, offset));
    if (text[offset] !== '\\') return offset;
    const end = matchEnd(escaped, text, offset);
    if (end < 0) return offset + longestEscapePrefix(text.slice(offset, offset + 10));
    offset = end;
  }
}

/** The part of an invalid escape sequence that could have begun a valid one. */
function longestEscapePrefix(text: string): number {
  const prefix = /^\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?)?/.exec(text);
  return prefix?.[0].length ?? 0;
}

function endOfCharacter(text: string, offset: number): number {
  return offset + ((text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1);
}
