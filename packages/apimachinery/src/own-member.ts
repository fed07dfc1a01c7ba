/**
 * Looks up a name from outside in a table; names that every object inherits, such as `constructor`, are not found.
 * @example
 * ownMember({ GET: 'get' }, 'toString'); // undefined
 */
export const ownMember = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
