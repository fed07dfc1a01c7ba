/** A floating point number; in a class, because a plain number is an int. */
export class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}
