/** JSON as Go's encoding/json prints it: `<`, `>` and `&` escaped, maps sorted. */

/** How the keys of objects are ordered: `sorted` as Go prints maps, `declared` as it prints structs. */
export type KeyOrder = 'sorted' | 'declared';

/** Four spaces of indentation, and a newline at the end. */
export const toIndentedJson = (value: unknown, order: KeyOrder = 'sorted'): string =>
  `${text(value, order, '\n')}\n`;

export const toJson = (value: unknown, order: KeyOrder = 'sorted'): string => text(value, order, '');

/** `lineStart` is a line end with the indentation of the value; empty for JSON on one line. */
function text(value: unknown, order: KeyOrder, lineStart: string): string {
  if (typeof value === 'string') return escapeHtml(JSON.stringify(value));
  // Integers beyond 2^53 come as bigints.
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

/** The keys that have values. Numbers are keys of maps alone: JavaScript would put them first, whatever was declared. */
export function keysInOrder(object: Readonly<Record<string, unknown>>, order: KeyOrder): string[] {
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  const isMap = keys.length > 0 && /^\d/.test(keys[0]!);
  return order === 'sorted' || isMap ? keys.sort() : keys;
}

const escapeHtml = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
