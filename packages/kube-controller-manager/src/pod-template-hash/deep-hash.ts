/** The 128-bit hash by which upstream sorts ports and subsets of endpoints. */
import type { StructType } from '@coxswain/schema';
import { goDump } from './go-dump.ts';

/** FNV-1a of the object as printed by Go's spew library. */
const deepHash128 = (type: StructType, value: object): bigint =>
  fnv1a128(encoder.encode(goDump(type, value as Readonly<Record<string, unknown>>)));

/** Returns the objects sorted by their hashes. */
export function inHashOrder<T extends object>(type: StructType, objects: readonly T[]): readonly T[] {
  if (objects.length < 2) return objects;
  return objects
    .map((object) => ({ object, hash: deepHash128(type, object) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0))
    .map(({ object }) => object);
}

const encoder = new TextEncoder();
const offset = 0x6c62272e07bb014262b821756295c58dn;
const prime = 0x0000000001000000000000000000013bn;

function fnv1a128(bytes: Uint8Array): bigint {
  let hash = offset;
  for (const byte of bytes) hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * prime);
  return hash;
}
