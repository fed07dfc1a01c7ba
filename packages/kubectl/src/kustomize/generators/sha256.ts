/** SHA-256 (FIPS 180-4), synchronous and without a platform's library. */

const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0;

function primes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return found;
}

const roundConstants = primes(64).map((prime) => fraction(Math.cbrt(prime)));
const initialState = primes(8).map((prime) => fraction(Math.sqrt(prime)));

/** In hexadecimal digits. */
export function sha256(text: string): string {
  const bytes = padded(new TextEncoder().encode(text));
  const view = new DataView(bytes.buffer);
  let state = initialState;
  for (let at = 0; at < bytes.length; at += 64) state = compress(state, view, at);
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function padded(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  bytes.set(message);
  bytes[message.length] = 0x80;
  new DataView(bytes.buffer).setBigUint64(bytes.length - 8, BigInt(message.length) * 8n);
  return bytes;
}

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

function compress(state: readonly number[], view: DataView, at: number): number[] {
  const words = scheduleOf(view, at);
  let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
  for (let round = 0; round < 64; round++) {
    const mix1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + mix1 + choice + (roundConstants[round] as number) + (words[round] as number)) | 0;
    const mix0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + mix0 + majority) | 0];
  }
  return [a, b, c, d, e, f, g, h].map((word, index) => (word + (state[index] as number)) | 0);
}

function scheduleOf(view: DataView, at: number): readonly number[] {
  const words = Array.from({ length: 16 }, (_, index) => view.getInt32(at + index * 4));
  for (let index = 16; index < 64; index++) {
    const before15 = words[index - 15] as number;
    const before2 = words[index - 2] as number;
    const mix0 = rotate(before15, 7) ^ rotate(before15, 18) ^ (before15 >>> 3);
    const mix1 = rotate(before2, 17) ^ rotate(before2, 19) ^ (before2 >>> 10);
    words.push(((words[index - 16] as number) + mix0 + (words[index - 7] as number) + mix1) | 0);
  }
  return words;
}
