/**
 * Decodes input to the object exactly as upstream prints it: members in declared order, zero values of optional fields
 * dropped, `null` for an absent `always` list or map, `{}` for an optional struct, scalars in their canonical text.
 *
 * Valid, ordinary input is decoded by JSON.parse and compiled closures (`decode/read.ts`). Input that might be lossy or
 * invalid goes through the exact decoder (`decode/clean.ts`) first.
 */

import { decodeCustom, decodeCustomValue } from './custom/decode.ts';
import { clean, type Cleaned } from './decode/clean.ts';
import { DecodeError } from './json/decode-error.ts';
import { rememberEmptied } from './decode/emptied.ts';
import { readerOf, unusual, type Tally } from './decode/read.ts';
import { restore } from './decode/restore.ts';
import { copyOf } from './json/copy.ts';
import { exactTree, parseJson, type ParsedJson } from './json/parsed.ts';
import { withGoNumbers } from './json/plain.ts';
import type { Fields, StructType } from './type.ts';

export interface Decoded<T> {
  readonly object: T;
  /**
   * Errors of strict decoding, in the order of the input: `unknown field "spec.foo"`, `duplicate field "spec.a"`. The
   * object is usable nevertheless.
   */
  readonly problems: readonly string[];
}

/**
 * Decodes JSON. `null` is an empty object.
 * @throws DecodeError 'syntax' | 'type' with upstream's message
 */
export function decode<T>(type: StructType<Fields, T>, input: Uint8Array | string | ParsedJson): Decoded<T> {
  const parsed = typeof input === 'string' || input instanceof Uint8Array ? parseJson(input) : input;
  if (type.isCustom) return decodeCustom(type, parsed) as Decoded<T>;
  if (parsed.members >= 0) {
    const object = readUsual(type, parsed.value, parsed.members, { members: 0, isOurs: true });
    if (object !== undefined) return { object: object as T, problems: none };
  }
  return afterCleaning(type, exactTree(parsed.text));
}

/**
 * Decodes plain values, from YAML or from a patch. They are not modified, though free-form parts are reused. Integers
 * beyond 2^53 are bigints, numbers that must keep their digits `JSON.rawJSON`.
 * @throws DecodeError 'type'
 */
export function decodeValue<T>(type: StructType<Fields, T>, value: unknown): Decoded<T> {
  if (type.isCustom) return decodeCustomValue(type, withGoNumbers(value)) as Decoded<T>;
  const object = readUsual(type, value, undefined);
  return object === undefined ? afterCleaning(type, value) : { object: object as T, problems: none };
}

/**
 * Like {@link decodeValue}, for values that belong to somebody else: the result shares nothing with them.
 * @throws DecodeError 'type'
 */
export function decodeCopy<T>(type: StructType<Fields, T>, value: unknown): Decoded<T> {
  if (type.isCustom) return decodeCustomValue(type, withGoNumbers(copyOf(value))) as Decoded<T>;
  const object = readUsual(type, value, undefined, { members: 0, copiesAll: true });
  return object === undefined ? afterCleaning(type, copyOf(value)) : { object: object as T, problems: none };
}

/**
 * Like {@link decodeValue}, for the result of a strategic merge patch or an apply: with upstream's messages for those,
 * and unknown members sorted.
 * @param known a member of the value that is already decoded, and is shared with the result
 * @throws DecodeError 'type'
 */
export function restoreValue<T>(type: StructType<Fields, T>, value: unknown, known?: object): Decoded<T> {
  if (type.isCustom) return decodeCustomValue(type, value, 'applied') as Decoded<T>;
  const object = readUsual(type, value, undefined, { members: 0, known });
  if (object !== undefined) return { object: object as T, problems: none };
  const restored = bounded(() => restore(type, value));
  return { object: readCleaned(type, restored.value) as T, problems: restored.problems };
}

const none: readonly string[] = [];

/** Undefined when the exact decoder is needed. */
function readUsual(
  type: StructType,
  value: unknown,
  members: number | undefined,
  tally: Tally = { members: 0 },
): unknown {
  try {
    const object = remembering(readerOf(type)(value, tally), tally);
    return members === undefined || tally.members === members ? object : undefined;
  } catch (error) {
    // The exact decoder refuses values that are nested too deeply for the stack.
    if (error === unusual || error instanceof RangeError) return undefined;
    throw error;
  }
}

function readCleaned(type: StructType, value: unknown): unknown {
  const tally: Tally = { members: 0 };
  return remembering(readerOf(type)(value, tally), tally);
}

function remembering(object: unknown, { emptied }: Tally): unknown {
  if (emptied !== undefined) rememberEmptied(object as object, emptied);
  return object;
}

function afterCleaning<T>(type: StructType<Fields, T>, input: unknown): Decoded<T> {
  const cleaned = bounded(() => clean(type, input));
  return { object: readCleaned(type, cleaned.value) as T, problems: cleaned.problems };
}

/** @throws DecodeError 'syntax' instead of a stack overflow */
function bounded(read: () => Cleaned): Cleaned {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError)
      throw new DecodeError('syntax', "invalid character '[' exceeded max depth");
    throw error;
  }
}
