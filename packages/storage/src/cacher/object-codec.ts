import type { Entry } from '../storage.ts';

/** The codec of a kind, for the cache. */
export interface ObjectCodec<T> {
  /**
   * The JSON for clients: the object with `metadata.resourceVersion` = `entry.modRevision`. `entry.value` is in the
   * stored form; or, for the last state of an object that left a selection, in the served form with an older
   * resourceVersion.
   */
  served(entry: Entry): Uint8Array;
  /**
   * The object with its resourceVersion: `entry.decoded` if the writer supplied it, otherwise decoded from
   * `entry.value`, which is in the stored or in the {@link served} form.
   */
  decode(entry: Entry): T;
  labels(object: T): Labels;
  /** The values of selectable fields, such as `spec.nodeName`. */
  fields(object: T): Fields;
}

export type Labels = Readonly<Record<string, string>>;
export type Fields = Readonly<Record<string, string>>;
