/** How the node's status tells the version of its runtime. */

const semantic = /^\s*v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)\s*$/;
const numbers = /^\s*v?(\d+(?:\.\d+)*)/;

/** `1.6.20~ds1`, as distributions write it, is told as `1.6.20`; a semantic version as it is. */
export const plainVersion = (version: string): string =>
  semantic.exec(version)?.[1] ?? numbers.exec(version)?.[1] ?? version;
