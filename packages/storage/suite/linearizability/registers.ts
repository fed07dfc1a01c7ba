/** A few keys, the concurrent operations on them, and the meaning of each result. */
import type { SequentialModel } from './checker.ts';

/** Values are numbers as text; a missing one is undefined. */
export interface Registers {
  read(key: number): Promise<string | undefined>;
  /** All of them at one moment, by key. */
  readAll(): Promise<ReadonlyMap<number, string>>;
  write(key: number, value: string): Promise<void>;
  /** Resolves with the previous value. */
  swap(key: number, value: string): Promise<string | undefined>;
  /** Writes if the value is `expected`. Resolves with whether it was. Absent if there is no such operation. */
  compareAndSwap?(key: number, expected: string, value: string): Promise<boolean>;
  /** Resolves with whether the key existed. Absent if there is no such operation. */
  remove?(key: number): Promise<boolean>;
}

/** An operation with its result. */
export type RegisterOperation =
  | { readonly kind: 'read'; readonly key: number; readonly value: string | undefined }
  | { readonly kind: 'read-all'; readonly values: ReadonlyMap<number, string> }
  | { readonly kind: 'write'; readonly key: number; readonly value: string }
  | {
      readonly kind: 'swap';
      readonly key: number;
      readonly value: string;
      readonly before: string | undefined;
    }
  | {
      readonly kind: 'compare-and-swap';
      readonly key: number;
      readonly expected: string;
      readonly value: string;
      readonly held: boolean;
    }
  | { readonly kind: 'remove'; readonly key: number; readonly found: boolean };

/** A state is the values of all keys, separated by commas. */
export function registerModel(keys: number, initial = ''): SequentialModel<RegisterOperation> {
  return {
    initial: Array.from({ length: keys }, () => initial).join(),
    step(state, operation) {
      const values = state.split(',');
      const put = (key: number, value: string): string => values.with(key, value).join();
      switch (operation.kind) {
        case 'read':
          return values[operation.key] === (operation.value ?? '') ? state : undefined;
        case 'read-all':
          return values.every((value, key) => value === (operation.values.get(key) ?? ''))
            ? state
            : undefined;
        case 'write':
          return put(operation.key, operation.value);
        case 'swap':
          return values[operation.key] === (operation.before ?? '')
            ? put(operation.key, operation.value)
            : undefined;
        case 'compare-and-swap':
          if ((values[operation.key] === operation.expected) !== operation.held) return undefined;
          return operation.held ? put(operation.key, operation.value) : state;
        case 'remove':
          if ((values[operation.key] !== '') !== operation.found) return undefined;
          return put(operation.key, '');
      }
    },
  };
}
