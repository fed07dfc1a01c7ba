/** What there is no counterpart of in a browser: naming it is allowed, using it is not. */

/**
 * Stands for `name` of `module`, such as `node:net`: callable, and a class to extend.
 * @returns what throws an Error that names it as soon as it is used
 */
export function withoutNode(module: string, name: string): new (...values: unknown[]) => never {
  function Refused(): never {
    throw new Error(`${module}: there is no ${name} in a browser`);
  }
  return Refused as unknown as new (...values: unknown[]) => never;
}
