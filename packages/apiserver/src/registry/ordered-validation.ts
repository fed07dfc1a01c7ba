/** Validates concurrent deletions in order: after a refused one nothing else is deleted. */
import type { ValidateObject } from '../rest/storage.ts';

export class OrderedValidation {
  readonly #validate: ValidateObject;
  #before: Promise<void> = Promise.resolve();
  #refusal: { readonly failure: unknown } | undefined;

  constructor(validate: ValidateObject) {
    this.#validate = validate;
  }

  /** Takes the next object's turn; `end` must be called when it is finished, validated or not. */
  next(): { readonly validate: ValidateObject; end(): void } {
    const before = this.#before;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#before = promise;
    return {
      validate: async (object) => {
        await before;
        if (this.#refusal !== undefined) throw this.#refusal.failure;
        try {
          await this.#validate(object);
        } catch (failure) {
          this.#refusal = { failure };
          throw failure;
        }
        resolve();
      },
      end: resolve,
    };
  }
}
