/**
 * What a table has for a name that somebody else chose; names that every object has, such as `constructor`, name nothing.
 * @example
 * ownMember({ GET: 'get' }, 'toString'); // undefined
 */
export const ownMember = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
