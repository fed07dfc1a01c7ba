/** CRC-32C (Castagnoli), the checksum that etcd uses; zlib only has the other polynomial. */

const polynomial = 0x82f63b78;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ polynomial : rest >>> 1;
  return rest;
});

/** The checksum of `bytes` appended to the data with the checksum `before`. */
export function crc32c(bytes: Uint8Array, before: number = 0): number {
  let rest = ~before;
  for (let i = 0; i < bytes.length; i++) rest = (rest >>> 8) ^ table[(rest ^ bytes[i]!) & 0xff]!;
  return ~rest >>> 0;
}
