/** JSON as printed by Go's encoding/json: `<`, `>` and `&` escaped, maps sorted. */

/** The order of object keys: `sorted` as Go prints maps, `declared` as it prints structs. */
export type KeyOrder = 'sorted' | 'declared';

/** With four spaces of indentation and a trailing newline. */
export const toIndentedJson = (value: unknown, order: KeyOrder = 'sorted'): string =>
  `${text(value, order, '\n')}\n`;

export const toJson = (value: unknown, order: KeyOrder = 'sorted'): string => text(value, order, '');

/** @param lineStart a newline with the indentation of the value; empty for JSON on one line */
function text(value: unknown, order: KeyOrder, lineStart: string): string {
  if (typeof value === 'string') return escapeHtml(JSON.stringify(value));
  // Integers beyond 2^53 are bigints.
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const inner = lineStart && `${lineStart}    `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[${value.map((item) => inner + text(item, order, inner)).join(',')}${lineStart}]`;
  }
  const object = value as Record<string, unknown>;
  const keys = keysInOrder(object, order);
  if (keys.length === 0) return '{}';
  const colon = lineStart === '' ? ':' : ': ';
  const members = keys.map(
    (key) => `${inner}${escapeHtml(JSON.stringify(key))}${colon}${text(object[key], order, inner)}`,
  );
  return `{${members.join(',')}${lineStart}}`;
}

/**
 * Returns the keys that have values. Numeric keys occur only in maps: JavaScript would move them to the front of
 * declared keys.
 */
export function keysInOrder(object: Readonly<Record<string, unknown>>, order: KeyOrder): string[] {
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  const isMap = keys.length > 0 && /^\d/.test(keys[0]!);
  return order === 'sorted' || isMap ? keys.sort() : keys;
}

const escapeHtml = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
