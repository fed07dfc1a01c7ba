/** JSON as Go's encoding/json prints it: `<`, `>` and `&` escaped. */

/** How the keys of objects are ordered: `sorted` as Go prints maps, `declared` as it prints structs. */
export type KeyOrder = 'sorted' | 'declared';

/** Four spaces of indentation, and a newline at the end. */
export const toIndentedJson = (value: unknown, order: KeyOrder = 'sorted'): string =>
  `${escapeHtml(JSON.stringify(order === 'sorted' ? sortKeys(value) : value, exactNumber, 4))}\n`;

export const toJson = (value: unknown, order: KeyOrder = 'sorted'): string =>
  escapeHtml(JSON.stringify(order === 'sorted' ? sortKeys(value) : value, exactNumber) ?? 'null');

/** Integers beyond 2^53 come as bigints. */
const exactNumber = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint'
    ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(value))
    : value;

const escapeHtml = (text: string): string =>
  text.replace(/[<>&\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A copy with the keys of all objects in the order of their code points. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const object = value as Record<string, unknown>;
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(object).sort()) {
    Object.defineProperty(sorted, key, {
      value: sortKeys(object[key]),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return sorted;
}
