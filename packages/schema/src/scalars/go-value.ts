/** Go's `%v` of JSON values: `map[a:1 b:[x y]]`, `<nil>`, which some error messages contain. */

import { goFloat } from './go-quote.ts';

/** Numbers are doubles, unless `numberText` formats them differently. */
export function goValue(value: unknown, numberText: (value: number) => string = goFloat): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map((item) => goValue(item, numberText)).join(' ')}]`;
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'object') return String(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${members.map(([name, member]) => `${name}:${goValue(member, numberText)}`).join(' ')}]`;
}
