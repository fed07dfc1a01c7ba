/** An unsigned 64-bit integer; a class of its own, so that it can't be taken for an int. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

export const uintMax = (1n << 64n) - 1n;
