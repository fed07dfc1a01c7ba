/** Blowfish, as bcrypt uses it: a cipher whose tables are the digits of pi, mixed with keys. */

const rounds = 16;
const subkeys = rounds + 2;
const boxes = 4 * 256;
const words = subkeys + boxes;

export class Blowfish {
  /** Subkeys, and behind them the four boxes. */
  readonly #words = piWords().slice();
  #left = 0;
  #right = 0;

  /** Mixes `key` in, and what comes of `salt` again and again: 16 bytes, or nothing. */
  expand(key: Uint8Array, salt?: Uint8Array): void {
    const table = this.#words;
    let at = 0;
    for (let i = 0; i < subkeys; i++) {
      let word = 0;
      for (let byte = 0; byte < 4; byte++, at = (at + 1) % key.length) word = (word << 8) | key[at]!;
      table[i] = table[i]! ^ word;
    }
    const salts = salt === undefined ? [0, 0, 0, 0] : [0, 4, 8, 12].map((from) => wordAt(salt, from));
    let [left, right] = [0, 0];
    for (let i = 0; i < words; i += 2) {
      const half = i % 4;
      this.#encipher(left ^ salts[half]!, right ^ salts[half + 1]!);
      left = table[i] = this.#left;
      right = table[i + 1] = this.#right;
    }
  }

  /** Of two words, `times` over. */
  encrypt(left: number, right: number, times: number): readonly [left: number, right: number] {
    [this.#left, this.#right] = [left, right];
    for (let i = 0; i < times; i++) this.#encipher(this.#left, this.#right);
    return [this.#left, this.#right];
  }

  #encipher(left: number, right: number): void {
    const table = this.#words;
    for (let round = 0; round < rounds; round++) {
      left ^= table[round]!;
      const [a, b] = [table[subkeys + (left >>> 24)]!, table[subkeys + 256 + ((left >>> 16) & 0xff)]!];
      const [c, d] = [table[subkeys + 512 + ((left >>> 8) & 0xff)]!, table[subkeys + 768 + (left & 0xff)]!];
      const mixed = right ^ (((((a + b) | 0) ^ c) + d) | 0);
      right = left;
      left = mixed;
    }
    this.#left = right ^ table[rounds + 1]!;
    this.#right = left ^ table[rounds]!;
  }
}

const wordAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;

let known: Int32Array | undefined;

/** The first binary digits of pi behind the point, by Machin's formula: made when they are needed first. */
function piWords(): Int32Array {
  if (known !== undefined) return known;
  const guardBits = 64n;
  const one = 1n << (BigInt(words * 32) + guardBits);
  const pi = 4n * (4n * arctanOfInverse(5n, one) - arctanOfInverse(239n, one));
  const digits = ((pi - 3n * one) >> guardBits).toString(16).padStart(words * 8, '0');
  known = Int32Array.from({ length: words }, (_, i) => Number.parseInt(digits.slice(i * 8, i * 8 + 8), 16));
  return known;
}

function arctanOfInverse(inverse: bigint, one: bigint): bigint {
  let power = one / inverse;
  let sum = power;
  for (let n = 3n, sign = -1n; power > 0n; n += 2n, sign = -sign) {
    power /= inverse * inverse;
    sum += (sign * power) / n;
  }
  return sum;
}
