/** CRC-32C (Castagnoli), which etcd hashes with; zlib has only the other polynomial. */

const polynomial = 0x82f63b78;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ polynomial : rest >>> 1;
  return rest;
});

/** Of `bytes` after what gave `before`. */
export function crc32c(bytes: Uint8Array, before: number = 0): number {
  let rest = ~before;
  for (let i = 0; i < bytes.length; i++) rest = (rest >>> 8) ^ table[(rest ^ bytes[i]!) & 0xff]!;
  return ~rest >>> 0;
}
