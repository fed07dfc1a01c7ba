/** Values of steps as plain, bounded JSON. */

import type { StepDetail } from '@coxswain/apimachinery';

/** Longer texts are cut. */
const textMax = 16_384;
/** Lists of a step are seldom longer; of those that are, the first are told. */
const itemsMax = 1_000;
const depthMax = 40;

export const plainValues = (values: StepDetail): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, plain(value, 0)]),
  );

function plain(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.length > textMax ? `${value.slice(0, textMax)}…` : value;
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return plainBytes(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? value.name : value;
  if (isLazy(value)) return plain(value.toJSON(), depth);
  if (depth > depthMax) return '…';
  if (Array.isArray(value)) return value.slice(0, itemsMax).map((item) => plain(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member, depth + 1)]));
}

/** What is only made when somebody reads it. */
const isLazy = (value: object): value is { toJSON(): unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function';

/** Bytes as the text that they are, or in base64. */
function plainBytes(bytes: Uint8Array): { readonly text: string } | { readonly base64: string } {
  const shown = bytes.subarray(0, textMax);
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(shown, { stream: true }) };
  } catch {
    return { base64: btoa(String.fromCharCode(...shown)) };
  }
}
