import { createHash } from 'node:crypto';
import { toJson } from '../../encoding/json.ts';

/** Digits that could form words are replaced (the original's table). */
const safeDigits: Readonly<Record<string, string>> = { '0': 'g', '1': 'h', '3': 'k', a: 'm', e: 't' };

const hashLength = 10;

/** A short hash of an object's content, for names that change with it. */
export function contentHash(content: Readonly<Record<string, unknown>>): string {
  const hex = createHash('sha256').update(toJson(content)).digest('hex');
  return Array.from(hex.slice(0, hashLength), (digit) => safeDigits[digit] ?? digit).join('');
}
