/** The lexer for Go templates: text outside `{{ }}`, tokens inside. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { goQuote } from '@coxswain/cobra/go-quote.ts';

export type Token =
  | { readonly type: 'text'; readonly text: string; readonly at: number }
  | { readonly type: 'open' | 'close' | 'space'; readonly text: string; readonly at: number }
  | {
      readonly type:
        | 'identifier'
        | 'field'
        | 'variable'
        | 'dot'
        | 'number'
        | 'string'
        | 'char'
        | 'bool'
        | 'nil'
        | 'keyword'
        | 'symbol'
        | 'end'
        // Its text is the error message.
        | 'error';
      readonly text: string;
      readonly at: number;
    };

const keywords = new Set([
  'if',
  'else',
  'end',
  'range',
  'with',
  'define',
  'template',
  'block',
  'break',
  'continue',
]);

/** The line (from 1) of an offset, as errors report it. */
export const lineOf = (source: string, at: number): number => source.slice(0, at).split('\n').length;

export class TemplateError extends Error {}

export function lex(name: string, source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let trimNext = false;
  while (at <= source.length) {
    const open = source.indexOf('{{', at);
    let text = open < 0 ? source.slice(at) : source.slice(at, open);
    if (trimNext) text = text.trimStart();
    const trimHere = open >= 0 && /^\{\{-\s/.test(source.slice(open, open + 4));
    if (trimHere) text = text.trimEnd();
    if (text !== '') tokens.push({ type: 'text', text, at });
    if (open < 0) break;
    const inside = open + (trimHere ? 3 : 2);
    const comment = /^\s*\/\*[\s\S]*?\*\/\s*?(\s-)?\}\}/.exec(source.slice(inside));
    if (comment === null && source.startsWith('/*', inside + (trimHere ? 1 : 0))) {
      const isOpen = !source.includes('*/', inside);
      const text = `template: ${name}:${lineOf(source, inside)}: ${isOpen ? 'unclosed comment' : 'comment ends before closing delimiter'}`;
      return [...tokens, { type: 'error', text, at: inside }];
    }
    if (comment !== null) {
      at = inside + comment[0].length;
      trimNext = comment[1] !== undefined;
      continue;
    }
    tokens.push({ type: 'open', text: '{{', at: open });
    try {
      const end = lexAction(name, source, inside, tokens);
      at = end.at;
      trimNext = end.trim;
    } catch (failure) {
      tokens.push({ type: 'error', text: messageOf(failure), at: inside });
      return tokens;
    }
  }
  tokens.push({ type: 'end', text: '', at: source.length });
  return tokens;
}

const patterns: readonly (readonly [Token['type'], RegExp])[] = [
  ['space', /\s+/y],
  ['string', /"(?:[^"\\\n]|\\.)*"|`[^`]*`/y],
  ['char', /'(?:[^'\\\n]|\\.)+'/y],
  // A sign alone is a number as well, which the parser then refuses.
  [
    'number',
    /(?=[+-]|\.?\d)[+-]?(?:0[xX][\da-fA-F_]*|0[bB][01_]*|0[oO][0-7_]*|[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?[\d_]*)?)/y,
  ],
  ['field', /\.[\p{L}_][\p{L}\p{N}_]*/uy],
  ['variable', /\$[\p{L}\p{N}_]*/uy],
  ['identifier', /[\p{L}_][\p{L}\p{N}_]*/uy],
  ['dot', /\./y],
  ['symbol', /:=|[=|(),]/y],
];

function lexAction(
  name: string,
  source: string,
  from: number,
  tokens: Token[],
): { at: number; trim: boolean } {
  let at = from;
  for (;;) {
    if (/^\s-\}\}/.test(source.slice(at, at + 4))) {
      tokens.push({ type: 'close', text: '}}', at });
      return { at: at + 4, trim: true };
    }
    if (source.startsWith('}}', at)) {
      tokens.push({ type: 'close', text: '}}', at });
      return { at: at + 2, trim: false };
    }
    if (at >= source.length)
      throw new TemplateError(`template: ${name}:${lineOf(source, from)}: unclosed action`);
    const token = nextToken(name, source, at);
    tokens.push(token);
    at += token.text.length;
  }
}

const wordTypes: ReadonlySet<Token['type']> = new Set(['field', 'variable', 'identifier']);

/** A name must be followed by one of a few characters. @throws TemplateError */
function requireEnd(name: string, source: string, at: number): void {
  if (at >= source.length || source.startsWith('}}', at) || /[\s.,|:)(=]/.test(source[at] ?? '')) return;
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
  const code = (source.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  throw new TemplateError(`template: ${name}:${lineOf(source, at)}: bad character U+${code} '${character}'`);
}

/** A number must not run into a name. @throws TemplateError */
function refuseLetters(name: string, source: string, at: number, number: string): void {
  const [letter] = /^[\p{L}\p{N}_]/u.exec(source.slice(at + number.length)) ?? [];
  if (letter === undefined) return;
  throw new TemplateError(
    `template: ${name}:${lineOf(source, at)}: bad number syntax: ${goQuote(number + letter)}`,
  );
}

function nextToken(name: string, source: string, at: number): Token {
  for (const [type, pattern] of patterns) {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0];
    if (text === undefined) continue;
    if (wordTypes.has(type)) requireEnd(name, source, at + text.length);
    if (type === 'number') refuseLetters(name, source, at, text);
    if (type !== 'identifier') return { type, text, at } as Token;
    if (keywords.has(text)) return { type: 'keyword', text, at };
    if (text === 'true' || text === 'false') return { type: 'bool', text, at };
    return { type: text === 'nil' ? 'nil' : 'identifier', text, at };
  }
  const line = lineOf(source, at);
  const character = source[at] ?? '';
  if (character === '"') throw new TemplateError(`template: ${name}:${line}: unterminated quoted string`);
  if (character === '`') throw new TemplateError(`template: ${name}:${line}: unterminated raw quoted string`);
  // Other characters are tokens for the lexer, but invalid for the parser.
  if (/[!-~]/.test(character)) return { type: 'symbol', text: character, at };
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  throw new TemplateError(
    `template: ${name}:${line}: unrecognized character in action: U+${code} '${character}'`,
  );
}
