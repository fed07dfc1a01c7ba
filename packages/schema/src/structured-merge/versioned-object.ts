import type { StructType } from '../type.ts';

/** An object as a version of its kind shows it. */
export interface VersionedObject {
  readonly type: StructType;
  readonly apiVersion: string;
  readonly object: object;
}

/**
 * Undefined when the kind has no such version.
 * @throws ConversionError | ConversionNeeded
 */
export type ToVersion = (object: VersionedObject, apiVersion: string) => VersionedObject | undefined;
