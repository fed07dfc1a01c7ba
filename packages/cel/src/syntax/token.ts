/** The kinds of tokens, numbered in the order in which messages list expected ones. */

export const token = {
  endOfFile: -1,
  equal: 1,
  notEqual: 2,
  in: 3,
  less: 4,
  lessEqual: 5,
  greaterEqual: 6,
  greater: 7,
  and: 8,
  or: 9,
  leftBracket: 10,
  rightBracket: 11,
  leftBrace: 12,
  rightBrace: 13,
  leftParenthesis: 14,
  rightParenthesis: 15,
  dot: 16,
  comma: 17,
  minus: 18,
  exclamation: 19,
  question: 20,
  colon: 21,
  plus: 22,
  star: 23,
  slash: 24,
  percent: 25,
  true: 26,
  false: 27,
  null: 28,
  float: 31,
  int: 32,
  uint: 33,
  string: 34,
  bytes: 35,
  identifier: 36,
  escapedIdentifier: 37,
} as const;

export interface Token {
  readonly type: number;
  readonly text: string;
  /** In UTF-16 code units. */
  readonly offset: number;
}

/** Operators and brackets, the longer ones first. */
export const punctuation: readonly (readonly [string, number])[] = [
  ['==', token.equal],
  ['!=', token.notEqual],
  ['<=', token.lessEqual],
  ['>=', token.greaterEqual],
  ['&&', token.and],
  ['||', token.or],
  ['<', token.less],
  ['>', token.greater],
  ['[', token.leftBracket],
  [']', token.rightBracket],
  ['{', token.leftBrace],
  ['}', token.rightBrace],
  ['(', token.leftParenthesis],
  [')', token.rightParenthesis],
  ['.', token.dot],
  [',', token.comma],
  ['-', token.minus],
  ['!', token.exclamation],
  ['?', token.question],
  [':', token.colon],
  ['+', token.plus],
  ['*', token.star],
  ['/', token.slash],
  ['%', token.percent],
];

export const keywords: ReadonlyMap<string, number> = new Map([
  ['in', token.in],
  ['true', token.true],
  ['false', token.false],
  ['null', token.null],
]);

const symbolicNames: ReadonlyMap<number, string> = new Map([
  [token.endOfFile, '<EOF>'],
  [token.float, 'NUM_FLOAT'],
  [token.int, 'NUM_INT'],
  [token.uint, 'NUM_UINT'],
  [token.string, 'STRING'],
  [token.bytes, 'BYTES'],
  [token.identifier, 'IDENTIFIER'],
  [token.escapedIdentifier, 'ESC_IDENTIFIER'],
]);

const literalNames: ReadonlyMap<number, string> = new Map(
  [...punctuation, ...keywords].map(([text, type]) => [type, `'${text}'`]),
);

export const tokenName = (type: number): string =>
  symbolicNames.get(type) ?? literalNames.get(type) ?? `<${type}>`;
