import { createHash } from 'node:crypto';
import { toJson } from '../../encoding/json.ts';

/** Replaces digits that could form words (upstream's table). */
const safeDigits: Readonly<Record<string, string>> = { '0': 'g', '1': 'h', '3': 'k', a: 'm', e: 't' };

const hashLength = 10;

/** A short hash of an object's contents, for names that change with them. */
export function contentHash(content: Readonly<Record<string, unknown>>): string {
  const hex = createHash('sha256').update(toJson(content)).digest('hex');
  return Array.from(hex.slice(0, hashLength), (digit) => safeDigits[digit] ?? digit).join('');
}
