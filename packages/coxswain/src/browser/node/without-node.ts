/** Parts of Node that have no counterpart in a browser: importing them is allowed, using them is not. */

/**
 * A placeholder for `name` of `module` (such as `node:net`) that can be called and extended as a class.
 * @returns a value that throws an Error naming it as soon as it is used
 */
export function withoutNode(module: string, name: string): new (...values: unknown[]) => never {
  function Refused(): never {
    throw new Error(`${module}: there is no ${name} in a browser`);
  }
  return Refused as unknown as new (...values: unknown[]) => never;
}
