import type { Entry } from '../storage.ts';

/** What the cache has to be told about a kind. */
export interface ObjectCodec<T> {
  /**
   * The JSON that clients get: the object with `metadata.resourceVersion` = `entry.modRevision`. `entry.value`
   * is as it is stored; or, for the last state of an object that left a selection, in the served form with an
   * older version.
   */
  served(entry: Entry): Uint8Array;
  /**
   * The object, with its resourceVersion: `entry.decoded` where the writer handed it over, else decoded
   * from `entry.value`, which is in the stored or in the {@link served} form.
   */
  decode(entry: Entry): T;
  labels(object: T): Labels;
  /** Values of the fields that can be selected by, such as `spec.nodeName`. */
  fields(object: T): Fields;
}

export type Labels = Readonly<Record<string, string>>;
export type Fields = Readonly<Record<string, string>>;
