/** Terminal colours (SGR of ECMA-48) from the user's palette. */

const codes = { red: 31, green: 32, yellow: 33, cyan: 36, dim: 2, bold: 1, reverse: 7 } as const;

export type Color = keyof typeof codes;

export const painted = (text: string, ...colors: readonly Color[]): string =>
  colors.length === 0 || text === ''
    ? text
    : `\u001B[${colors.map((color) => codes[color]).join(';')}m${text}\u001B[0m`;
