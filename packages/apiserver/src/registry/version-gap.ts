/**
 * Finds the position of resourceVersion in stored JSON: after metadata.uid, in the order in which the server writes
 * members. Returns -1 if a scan cannot determine it, or if there is a resourceVersion already.
 */
export function versionGapOf(value: Uint8Array): number {
  const meta = indexOf(value, metadataKey, 0, headBytesMax);
  if (meta < 0) return -1;
  const uid = indexOf(value, uidKey, meta, meta + metadataBytesMax);
  if (uid < 0) return -1;
  const end = value.indexOf(quote, uid + uidKey.length);
  if (end < 0 || value[end + 1] !== comma) return -1;
  const gap = end + 2;
  return hasVersionAt(value, gap) ? -1 : gap;
}

export const hasVersionAt = (value: Uint8Array, gap: number): boolean => matchesAt(value, versionKey, gap);

const encoder = new TextEncoder();
const metadataKey = encoder.encode('"metadata":{"');
const uidKey = encoder.encode('"uid":"');
const versionKey = encoder.encode('"resourceVersion":"');
const quote = 0x22;
const comma = 0x2c;

/** In values written by the server, `{"kind":…,"apiVersion":…,` precedes the metadata. */
const headBytesMax = 512;

/** Name, generateName and namespace precede the uid; valid ones have at most 253 bytes each. */
const metadataBytesMax = 1024;

function indexOf(bytes: Uint8Array, wanted: Uint8Array, from: number, before: number): number {
  const end = Math.min(before, bytes.length - wanted.length);
  const first = wanted[0]!;
  for (let at = bytes.indexOf(first, from); at >= 0 && at <= end; at = bytes.indexOf(first, at + 1)) {
    if (matchesAt(bytes, wanted, at)) return at;
  }
  return -1;
}

function matchesAt(bytes: Uint8Array, wanted: Uint8Array, at: number): boolean {
  for (let index = 0; index < wanted.length; index++) if (bytes[at + index] !== wanted[index]) return false;
  return true;
}
