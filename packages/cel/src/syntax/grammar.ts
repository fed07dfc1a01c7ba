/** The building blocks of the grammar's rules (CEL.g4). */

import { products, relations, ruleEnd, sums, tokens, union } from './token-sets.ts';
import { token } from './token.ts';

/** Words that are not identifiers. */
export const reserved = new Set(
  (
    'as break const continue else false for function if import in let loop package namespace null return ' +
    'true var void while'
  ).split(' '),
);

/** The functions that binary operators call. */
export const operators: ReadonlyMap<number, string> = new Map([
  [token.plus, '_+_'],
  [token.minus, '_-_'],
  [token.star, '_*_'],
  [token.slash, '_/_'],
  [token.percent, '_%_'],
  [token.equal, '_==_'],
  [token.notEqual, '_!=_'],
  [token.less, '_<_'],
  [token.lessEqual, '_<=_'],
  [token.greater, '_>_'],
  [token.greaterEqual, '_>=_'],
  [token.in, '@in'],
]);

/** Operators whose operands are one level deeper. */
export const countedOperators = new Set([...operators.values(), '_?_:_', '_[_]', '_[?_]', '_?._']);

/** The limit of nested conditions, relations, sums, products, fields, member calls and indices together. */
export const expressionDepthMax = 250;

/** What may follow a part of a rule; includes `ruleEnd` if the rule may end there. */
export const follow = {
  start: tokens(token.endOfFile),
  end: tokens(ruleEnd),
  condition: tokens(token.question, ruleEnd),
  colon: tokens(token.colon),
  or: tokens(token.or, ruleEnd),
  and: tokens(token.and, ruleEnd),
  relation: union(relations, tokens(ruleEnd)),
  calculation: union(products, sums, tokens(ruleEnd)),
  member: tokens(token.dot, token.leftBracket, ruleEnd),
  rightParenthesis: tokens(token.rightParenthesis),
  rightBracket: tokens(token.rightBracket),
  list: tokens(token.rightBracket, token.comma),
  braces: tokens(token.rightBrace, token.comma),
  comma: tokens(token.comma, ruleEnd),
};

export const identifierOrEscaped = tokens(token.identifier, token.escapedIdentifier);
export const nothing = tokens();
