/**
 * Random UUIDs (RFC 9562, version 4). Every request gets one, and its text goes into headers and log lines: built as
 * one flat string it costs as much as the platform's own, whose text is a concatenation of twenty pieces that every
 * reader has to traverse.
 */

const bytesPerUid = 16;
const pool = new Uint8Array(256 * bytesPerUid);
let next = pool.length;

const digits = (shift: number): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => '0123456789abcdef'.charCodeAt((byte >> shift) & 15));
/** The two hexadecimal digits of each byte. */
const first = digits(4);
const second = digits(0);
const hyphen = 45;

export function newUid(): string {
  if (next === pool.length) {
    crypto.getRandomValues(pool);
    next = 0;
  }
  const at = next;
  next += bytesPerUid;
  pool[at + 6] = (pool[at + 6]! & 0x0f) | 0x40;
  pool[at + 8] = (pool[at + 8]! & 0x3f) | 0x80;
  return textOf(pool, at);
}

/** @returns 16 bytes of `b`, from `at` on, as `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` */
const textOf = (b: Uint8Array, at: number): string =>
  // oxfmt-ignore
  String.fromCharCode(
    first[b[at]!]!, second[b[at]!]!, first[b[at + 1]!]!, second[b[at + 1]!]!, first[b[at + 2]!]!, second[b[at + 2]!]!, first[b[at + 3]!]!, second[b[at + 3]!]!, hyphen,
    first[b[at + 4]!]!, second[b[at + 4]!]!, first[b[at + 5]!]!, second[b[at + 5]!]!, hyphen,
    first[b[at + 6]!]!, second[b[at + 6]!]!, first[b[at + 7]!]!, second[b[at + 7]!]!, hyphen,
    first[b[at + 8]!]!, second[b[at + 8]!]!, first[b[at + 9]!]!, second[b[at + 9]!]!, hyphen,
    first[b[at + 10]!]!, second[b[at + 10]!]!, first[b[at + 11]!]!, second[b[at + 11]!]!, first[b[at + 12]!]!, second[b[at + 12]!]!,
    first[b[at + 13]!]!, second[b[at + 13]!]!, first[b[at + 14]!]!, second[b[at + 14]!]!, first[b[at + 15]!]!, second[b[at + 15]!]!,
  );
