/**
 * Lossless JSON: members in order with their duplicates, numbers with all digits. Used where JSON.parse would hide
 * something.
 */

import { rawNumber } from '../scalars/raw-number.ts';

export class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export class JsonObject {
  readonly names: string[] = [];
  readonly values: JsonTree[] = [];
}

export type JsonTree = null | boolean | string | JsonNumber | JsonObject | JsonTree[];

/** Plain values; of duplicates the last is kept, and numbers keep their digits. */
export function plainOf(tree: unknown): unknown {
  if (tree instanceof JsonNumber) return numberOf(tree.text);
  if (typeof tree === 'string') return tree.isWellFormed() ? tree : tree.toWellFormed();
  if (Array.isArray(tree)) return tree.map(plainOf);
  if (!(tree instanceof JsonObject)) return tree;
  const plain: Record<string, unknown> = {};
  tree.names.forEach((name, index) => setMember(plain, name, plainOf(tree.values[index])));
  return plain;
}

/** A number if it prints as it was written; otherwise a bigint, or a raw JSON number (`1.0`, `1E5`). */
export function numberOf(text: string): unknown {
  const value = Number(text);
  if (String(value) === text) return value;
  return /^-?[1-9][0-9]*$/.test(text) ? BigInt(text) : rawNumber(text);
}

/** Sets an own property even if its name is `__proto__`. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[name] = value;
  }
}
