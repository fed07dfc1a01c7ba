/** Transformers that report their durations and results. */
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

/** Writes with the first transformer, reads with the matching one, and reports each operation. */
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
        // No transformer matched, so none has reported it.
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
        // The identity transformer does not report encrypted values.
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
