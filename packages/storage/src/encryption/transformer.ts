/** What stands between a value and its stored form. Formats are the original's, so that data moves both ways. */
import { joinedBytes } from '@coxswain/apimachinery/joined-bytes.ts';

export interface Transformer {
  /**
   * The value out of its stored form; later when a key has to be asked for first.
   * @throws Error when it is damaged, belongs to another key of the store, or to a key that isn't known
   */
  fromStorage(data: Uint8Array, context: Uint8Array): Opened | Promise<Opened>;
  /** `context` is what the value is bound to: the key it is stored at. @throws Error when it can't be encrypted */
  toStorage(data: Uint8Array, context: Uint8Array): Uint8Array;
}

export interface Opened {
  readonly data: Uint8Array;
  /** Whether it should be written again, because it would be written otherwise now. */
  readonly isStale: boolean;
}

/** Values as they are, unless somebody encrypted them. */
export const identity: Transformer = {
  fromStorage(data) {
    if (startsWith(data, encryptedPrefix)) {
      throw new Error('identity transformer tried to read encrypted data');
    }
    return { data, isStale: false };
  },
  toStorage: (data) => data,
};

export interface PrefixedTransformer {
  /** Stands before what the transformer makes; empty for values as they are. */
  readonly prefix: string;
  readonly transformer: Transformer;
}

/**
 * Writes by the first; reads by whichever fits the prefix and succeeds. What wasn't written by the first is stale.
 * @param noMatch what is said when no prefix fits
 */
export function firstMatching(choices: readonly PrefixedTransformer[], noMatch: string): Transformer {
  const prefixes = choices.map(({ prefix }) => encoder.encode(prefix));

  const attempt = (
    data: Uint8Array,
    context: Uint8Array,
    from: number,
    failures: readonly Error[],
  ): Opened | Promise<Opened> => {
    const at = prefixes.findIndex((prefix, index) => index >= from && startsWith(data, prefix));
    if (at < 0) throw failures.length === 0 ? new Error(noMatch) : joined(failures);
    const { prefix, transformer } = choices[at]!;
    const marked = (opened: Opened): Opened => (at === 0 ? opened : { ...opened, isStale: true });
    // Several keys may have one name, and encrypted values don't concern who has no prefix.
    const next = (failure: unknown) =>
      attempt(data, context, at + 1, prefix === '' ? failures : [...failures, failure as Error]);
    try {
      const opened = transformer.fromStorage(data.subarray(prefixes[at]!.length), context);
      return opened instanceof Promise ? opened.then(marked, next) : marked(opened);
    } catch (failure) {
      return next(failure);
    }
  };
  return {
    fromStorage: (data, context) => attempt(data, context, 0, []),
    toStorage: (data, context) =>
      joinedBytes([prefixes[0]!, choices[0]!.transformer.toStorage(data, context)]),
  };
}

const encoder = new TextEncoder();
const encryptedPrefix = encoder.encode('k8s:enc:');

const startsWith = (data: Uint8Array, prefix: Uint8Array): boolean =>
  data.length >= prefix.length && prefix.every((byte, at) => data[at] === byte);

function joined(failures: readonly Error[]): Error {
  const messages = [...new Set(failures.map(({ message }) => message))];
  return new Error(messages.length === 1 ? messages[0]! : `[${messages.join(', ')}]`);
}
