/** What a recording says of a Secret: nothing of its data, but for somebody who may read the Secret and asks for it. */
export class Confidential {
  readonly #hidden: () => unknown;
  readonly #whole: unknown;

  /**
   * @param hidden makes what anybody may see
   * @param whole may be a value with a `toJSON` of its own, made when somebody reads it
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
