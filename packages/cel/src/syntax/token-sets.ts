/** Sets of expected tokens, in the order in which messages list them. */

import { token, tokenName } from './token.ts';

/** Means that the rule may end there, so that what follows it is expected too. */
export const ruleEnd = 0;

export type TokenSet = ReadonlySet<number>;

export const tokens = (...types: number[]): TokenSet => new Set(types);

const memberStart = [
  token.leftBracket,
  token.leftBrace,
  token.leftParenthesis,
  token.dot,
  token.minus,
  token.true,
  token.false,
  token.null,
  token.float,
  token.int,
  token.uint,
  token.string,
  token.bytes,
  token.identifier,
];

export const startOfMember = tokens(...memberStart);
export const startOfExpression = tokens(...memberStart, token.exclamation);
export const startOfOptionalExpression = tokens(...memberStart, token.exclamation, token.question);

export const relations = tokens(
  token.equal,
  token.notEqual,
  token.in,
  token.less,
  token.lessEqual,
  token.greaterEqual,
  token.greater,
);
export const products = tokens(token.star, token.slash, token.percent);
export const sums = tokens(token.plus, token.minus);

export const union = (...sets: readonly TokenSet[]): TokenSet => new Set(sets.flatMap((set) => [...set]));

/** `'a'`, or `{'a', 'b'}`. */
export function describeTokens(set: TokenSet): string {
  const names = [...set]
    .filter((type) => type !== ruleEnd)
    .toSorted((one, other) => one - other)
    .map(tokenName);
  return names.length === 1 ? names[0]! : `{${names.join(', ')}}`;
}
