/** The version of the runtime as reported in the node's status. */

const semantic = /^\s*v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)\s*$/;
const numbers = /^\s*v?(\d+(?:\.\d+)*)/;

/** A distribution's `1.6.20~ds1` is reported as `1.6.20`; a semantic version is unchanged. */
export const plainVersion = (version: string): string =>
  semantic.exec(version)?.[1] ?? numbers.exec(version)?.[1] ?? version;
