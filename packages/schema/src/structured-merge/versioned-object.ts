import type { StructType } from '../type.ts';

/** An object in one version of its kind. */
export interface VersionedObject {
  readonly type: StructType;
  readonly apiVersion: string;
  readonly object: object;
}

/**
 * Undefined when the kind doesn't have the version.
 * @throws ConversionError | ConversionNeeded
 */
export type ToVersion = (object: VersionedObject, apiVersion: string) => VersionedObject | undefined;
