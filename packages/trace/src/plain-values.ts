/** Converts the values of steps to plain, bounded JSON. */

import type { StepDetail } from '@coxswain/apimachinery';
import { Confidential } from '@coxswain/apimachinery/confidential.ts';

/** Longer text is truncated. */
const textMax = 16_384;
/** Lists are seldom longer; those that are get truncated. */
const itemsMax = 1_000;
const depthMax = 40;

/** @param showsSecrets whether the reader may see the contents of Secrets and has asked for them */
export const plainValues = (values: StepDetail, showsSecrets = false): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, plain(value, 0, showsSecrets)]),
  );

function plain(value: unknown, depth: number, showsSecrets: boolean): unknown {
  const inner = (member: unknown) => plain(member, depth + 1, showsSecrets);
  if (typeof value === 'string') return value.length > textMax ? `${value.slice(0, textMax)}…` : value;
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return plainBytes(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? value.name : value;
  if (showsSecrets && value instanceof Confidential) return plain(value.revealed(), depth, true);
  if (isLazy(value)) return plain(value.toJSON(), depth, showsSecrets);
  if (depth > depthMax) return '…';
  if (Array.isArray(value)) return value.slice(0, itemsMax).map(inner);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inner(member)]));
}

/** A value that is computed only when it is read. */
const isLazy = (value: object): value is { toJSON(): unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function';

/** Bytes as text if they are text, otherwise in base64. */
function plainBytes(bytes: Uint8Array): { readonly text: string } | { readonly base64: string } {
  const shown = bytes.subarray(0, textMax);
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(shown, { stream: true }) };
  } catch {
    return { base64: btoa(String.fromCharCode(...shown)) };
  }
}
