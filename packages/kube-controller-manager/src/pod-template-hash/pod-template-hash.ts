/** The hashes that upstream puts into names and labels; they depend only on the contents. */

import {
  PodTemplateSpec as podTemplateSpec,
  type PodTemplateSpec,
} from '@coxswain/api/core/v1/pod-template-spec.ts';
import { goDump } from './go-dump.ts';

/** The `pod-template-hash` of a ReplicaSet's pods: at most ten characters. */
export function podTemplateHash(template: PodTemplateSpec, collisionCount?: number): string {
  let hash = fnv1a(encoder.encode(goDump(podTemplateSpec, template as unknown as Record<string, unknown>)));
  if (collisionCount !== undefined) hash = fnv1a(littleEndian(collisionCount), hash);
  return safeEncode(String(hash));
}

const encoder = new TextEncoder();

const fnvOffset = 0x811c9dc5;
const fnvPrime = 0x01000193;

function fnv1a(bytes: Uint8Array, start: number = fnvOffset): number {
  let hash = start;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, fnvPrime) >>> 0;
  return hash;
}

/** FNV-1, which multiplies first; used in the names of ControllerRevisions. */
export function fnv1(bytes: Uint8Array): number {
  let hash = fnvOffset;
  for (const byte of bytes) hash = (Math.imul(hash, fnvPrime) ^ byte) >>> 0;
  return hash;
}

/** Writes the low four bytes of a number, padded to eight as upstream does. */
function littleEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

/** No vowels, and no digits that resemble letters, so that no offensive or misleading words result. */
const safeCharacters = 'bcdfghjklmnpqrstvwxz2456789';

/** Replaces each character with one that is safe in a name. */
export const safeEncode = (text: string): string =>
  Array.from(text, (character) => safeCharacters[character.charCodeAt(0) % safeCharacters.length]).join('');
