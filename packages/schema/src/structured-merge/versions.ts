/** An object in the versions in which its managers wrote, since a manager's fields refer to its version. */

import { decodeValue } from '../decode.ts';
import { validateConfiguration } from './validate.ts';
import type { StructType } from '../type.ts';
import type { VersionedObject } from './versioned-object.ts';

/**
 * Converts an object to another version of its kind; undefined when that version doesn't exist.
 * @throws ConversionError
 * @throws ConversionNeeded when another party has to convert it first
 */
export type ConvertTo = (
  object: object,
  apiVersion: string,
) => { type: StructType; object: object } | undefined;

/** An object that can't be converted to another version, so that nothing is known of its fields there. */
export class ConversionError extends Error {}

/** Reports the missing conversion: of `object` to `apiVersion`. The caller must convert it and start again. */
export class ConversionNeeded extends Error {
  readonly object: object;
  readonly apiVersion: string;

  constructor(object: object, apiVersion: string) {
    super(`to be converted to ${apiVersion} first`);
    this.object = object;
    this.apiVersion = apiVersion;
  }
}

/** The same object in any version; converted once to each. */
export class Versions {
  readonly own: VersionedObject;
  readonly #convert: ConvertTo;
  #others: Map<string, VersionedObject | undefined> | undefined;

  constructor(own: VersionedObject, convert: ConvertTo) {
    this.own = own;
    this.#convert = convert;
  }

  /**
   * Undefined when the kind doesn't have the version. @throws ConversionError
   * ConversionNeeded
   */
  in(apiVersion: string): VersionedObject | undefined {
    if (apiVersion === this.own.apiVersion) return this.own;
    const others = (this.#others ??= new Map());
    if (!others.has(apiVersion)) others.set(apiVersion, converted(this.own, apiVersion, this.#convert));
    return others.get(apiVersion);
  }
}

/** @throws ConversionError | ConversionNeeded */
export function converted(
  { type, apiVersion: from, object }: VersionedObject,
  apiVersion: string,
  convert: ConvertTo,
): VersionedObject | undefined {
  if (from === apiVersion) return { type, apiVersion, object };
  if (apiVersion.split('/').length > 2) {
    throw new ConversionError(`unexpected GroupVersion string: ${apiVersion}`);
  }
  // Conversions between known types expect decoded objects, not results of merges.
  const result = convert(type.isCustom ? object : (decodeValue(type, object).object as object), apiVersion);
  if (result === undefined) return undefined;
  checkConverted(result.type, result.object);
  return { ...result, apiVersion };
}

/**
 * In the writer's own version list items may be duplicates; in another manager's version they may not.
 * @throws ConversionError
 */
function checkConverted(type: StructType, object: object): void {
  try {
    validateConfiguration(type, object);
  } catch (failure) {
    throw new ConversionError((failure as Error).message);
  }
}

/** Prefixes an error's message with the operation. */
export function during<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (failure) {
    if (failure instanceof ConversionError) throw new ConversionError(`${what}: ${failure.message}`);
    throw failure;
  }
}
