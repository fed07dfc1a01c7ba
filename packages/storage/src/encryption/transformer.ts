/** Transforms values to their stored form and back. Formats are upstream's, so that data can be moved both ways. */
import { joinedBytes } from '@coxswain/apimachinery/joined-bytes.ts';

export interface Transformer {
  /**
   * Decodes a stored value; asynchronous when a key has to be fetched first.
   * @throws Error when it is damaged, bound to another storage key, or encrypted with an unknown key
   */
  fromStorage(data: Uint8Array, context: Uint8Array): Opened | Promise<Opened>;
  /** `context` is what the value is bound to: its storage key. @throws Error when encryption fails */
  toStorage(data: Uint8Array, context: Uint8Array): Uint8Array;
}

export interface Opened {
  readonly data: Uint8Array;
  /** Whether it should be rewritten because it would be encrypted differently now. */
  readonly isStale: boolean;
}

/** Stores values unencrypted; refuses encrypted ones. */
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
  /** The prefix of the transformer's output; empty for unencrypted values. */
  readonly prefix: string;
  readonly transformer: Transformer;
}

/**
 * Writes with the first transformer; reads with any whose prefix matches and that succeeds. Values not written by the
 * first one are stale.
 * @param noMatch the message when no prefix matches
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
    // Several keys may share a prefix, and the transformer without a prefix is not responsible for encrypted values.
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
