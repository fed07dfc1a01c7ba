/** Transformers that tell how long they took, and whether they succeeded. */
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import {
  firstMatching,
  type Opened,
  type PrefixedTransformer,
  type Transformer,
} from '@coxswain/storage/encryption/transformer.ts';
import type { TransformationObserver } from './encryption-metrics.ts';

const noMatch = 'no matching prefix found';

/** Writes by the first, reads by whichever fits, and tells of each. */
export function observedChoices(
  choices: readonly PrefixedTransformer[],
  observe: TransformationObserver,
  clock: Clock,
): Transformer {
  const all = firstMatching(
    choices.map(({ prefix, transformer }) => ({
      prefix,
      transformer: observed(prefix, transformer, observe, clock),
    })),
    noMatch,
  );
  return {
    fromStorage(data, context) {
      const startMs = clock.monotonic();
      try {
        return all.fromStorage(data, context);
      } catch (failure) {
        // No choice was tried, so none has told of it.
        if (messageOf(failure) === noMatch)
          observe('from_storage', 'unknown', (clock.monotonic() - startMs) / 1000, failure);
        throw failure;
      }
    },
    toStorage: (data, context) => all.toStorage(data, context),
  };
}

function observed(
  prefix: string,
  transformer: Transformer,
  observe: TransformationObserver,
  clock: Clock,
): Transformer {
  const secondsSince = (startMs: number): number => (clock.monotonic() - startMs) / 1000;
  return {
    fromStorage(data, context) {
      const startMs = clock.monotonic();
      const succeeded = (opened: Opened): Opened => {
        observe('from_storage', prefix || 'identity', secondsSince(startMs));
        return opened;
      };
      const failed = (failure: unknown): never => {
        // Encrypted values don't concern who takes values as they are.
        if (prefix !== '') observe('from_storage', prefix, secondsSince(startMs), failure);
        throw failure;
      };
      try {
        const opened = transformer.fromStorage(data, context);
        if (opened instanceof Promise) return opened.then(succeeded, failed);
        return succeeded(opened);
      } catch (failure) {
        return failed(failure);
      }
    },
    toStorage(data, context) {
      const startMs = clock.monotonic();
      try {
        const stored = transformer.toStorage(data, context);
        observe('to_storage', prefix, secondsSince(startMs));
        return stored;
      } catch (failure) {
        observe('to_storage', prefix, secondsSince(startMs), failure);
        throw failure;
      }
    },
  };
}
