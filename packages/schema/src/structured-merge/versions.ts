/** An object in the versions in which its managers wrote, since fields are looked for in the version that named them. */

import { decodeValue } from '../decode.ts';
import { validateConfiguration } from './validate.ts';
import type { StructType } from '../type.ts';
import type { VersionedObject } from './versioned-object.ts';

/**
 * An object in another version of its kind; undefined when that version is not there.
 * @throws ConversionError
 * @throws ConversionNeeded when it has to be converted elsewhere first
 */
export type ConvertTo = (
  object: object,
  apiVersion: string,
) => { type: StructType; object: object } | undefined;

/** An object that can't be had in another version, so that nothing is known of the fields there. */
export class ConversionError extends Error {}

/** Tells who called what is missing: `object` in `apiVersion`. Everything is to be done again with it. */
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

  /** Undefined when the kind has no such version. @throws ConversionError | ConversionNeeded */
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
  // Conversions between known types expect what a decoder makes, not what a merge left.
  const result = convert(type.isCustom ? object : (decodeValue(type, object).object as object), apiVersion);
  if (result === undefined) return undefined;
  checkConverted(result.type, result.object);
  return { ...result, apiVersion };
}

/**
 * In the writer's own version items of a list may be there twice; in the version of another manager they may not.
 * @throws ConversionError
 */
function checkConverted(type: StructType, object: object): void {
  try {
    validateConfiguration(type, object);
  } catch (failure) {
    throw new ConversionError((failure as Error).message);
  }
}

/** Puts what was being done before the text of a failure. */
export function during<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (failure) {
    if (failure instanceof ConversionError) throw new ConversionError(`${what}: ${failure.message}`);
    throw failure;
  }
}
