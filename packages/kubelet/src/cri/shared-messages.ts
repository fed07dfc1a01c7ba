/** Message parts that several CRI services share. */
import { field, repeated } from '@coxswain/protobuf';

/** An entry of a `map<string, string>`. */
export const StringPair = { key: field(1, 'string'), value: field(2, 'string') };

export interface StringPair {
  readonly key: string;
  readonly value: string;
}

/** Sorted by key for readability; upstream's codec does not guarantee an order. */
export const pairsOf = (record: Readonly<Record<string, string>> = {}): readonly StringPair[] =>
  Object.keys(record)
    .sort()
    .map((key) => ({ key, value: record[key]! }));

export const recordOf = (pairs: readonly StringPair[]): Record<string, string> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, value]));

export const Int64Value = { value: field(1, 'int64') };
export const UInt64Value = { value: field(1, 'int64') };
export const Empty = {};

export const ImageSpec = {
  image: field(1, 'string'),
  annotations: repeated(2, StringPair),
  userSpecifiedImage: field(18, 'string'),
  runtimeHandler: field(19, 'string'),
  imageRef: field(20, 'string'),
};
