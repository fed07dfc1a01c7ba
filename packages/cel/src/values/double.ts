/** A floating-point number; a class, since a plain number is an int. */
export class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}
