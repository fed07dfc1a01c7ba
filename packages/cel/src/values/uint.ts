/** An unsigned 64-bit integer; a separate class, so that it can't be mistaken for an int. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

export const uintMax = (1n << 64n) - 1n;
