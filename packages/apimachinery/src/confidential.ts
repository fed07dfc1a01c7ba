/** What a recording contains of a Secret: none of its data, unless a user who may read the Secret requests it. */
export class Confidential {
  readonly #hidden: () => unknown;
  readonly #whole: unknown;

  /**
   * @param hidden makes the public form
   * @param whole may have a `toJSON` that is called when somebody reads it
   */
  constructor(hidden: () => unknown, whole: unknown) {
    this.#hidden = hidden;
    this.#whole = whole;
  }

  toJSON(): unknown {
    return this.#hidden();
  }

  revealed(): unknown {
    return this.#whole;
  }
}
