/** JSON input, parsed once: the type meta is read first, then the kind's decoder reads the rest. */

import { DecodeError } from './decode-error.ts';
import { JsonSyntaxError, parseJsonTree } from './parse.ts';
import { countMembers } from './scan.ts';
import { isRawNumber } from '../scalars/raw-number.ts';
import { JsonNumber, JsonObject, type JsonTree } from './tree.ts';

export interface ParsedJson {
  /** The result of JSON.parse. */
  readonly value: unknown;
  /** The number of members in the text; -1 when {@link exactTree} is required. */
  readonly members: number;
  readonly text: string;
}

/** Invalid UTF-8 becomes U+FFFD, as upstream; a byte order mark is an error there. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** @throws DecodeError 'syntax' with Go's message */
export function parseJson(input: Uint8Array | string): ParsedJson {
  const text = typeof input === 'string' ? input : utf8.decode(input);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    exactTree(text);
    throw new DecodeError('syntax', 'unexpected end of JSON input');
  }
  const members = typeof input === 'string' && !text.isWellFormed() ? -1 : countMembers(text);
  return { value, members, text };
}

/** @throws DecodeError 'syntax' */
export function exactTree(text: string): JsonTree {
  try {
    return parseJsonTree(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new DecodeError('syntax', error.message);
    if (error instanceof RangeError)
      throw new DecodeError('syntax', "invalid character '[' exceeded max depth");
    throw error;
  }
}

export interface TypeMeta {
  /** Empty if unset. */
  readonly apiVersion: string;
  readonly kind: string;
}

const goTypeMeta =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** The type that the object states. @throws DecodeError 'type' with Go's message */
export function typeMetaOf(parsed: ParsedJson): TypeMeta {
  return typeMetaOfValue(parsed.value);
}

/** Like {@link typeMetaOf}, for a value that was not parsed from JSON. @throws DecodeError 'type' */
export function typeMetaOfValue(value: unknown): TypeMeta {
  if (value === null) return { apiVersion: '', kind: '' };
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new DecodeError(
      'type',
      `json: cannot unmarshal ${jsonKindOf(value)} into Go value of type ${goTypeMeta}`,
    );
  }
  const typeMeta = { apiVersion: '', kind: '' };
  // In the order of the text, since Go reports the first error.
  for (const given of Object.keys(value)) {
    const name = typeMember(given);
    if (name !== undefined)
      typeMeta[name] = textOf(name, (value as Record<string, unknown>)[given]) ?? typeMeta[name];
  }
  return typeMeta;
}

/** Unlike all other members, these two are read in capitals, too, and the last of them counts. */
function typeMember(given: string): keyof TypeMeta | undefined {
  if (given.length !== 4 && given.length !== 10) return undefined;
  const folded = given.toLowerCase();
  return folded === 'kind' ? 'kind' : folded === 'apiversion' ? 'apiVersion' : undefined;
}

/** Undefined for null, which leaves an earlier value. */
function textOf(name: string, value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return undefined;
  throw new DecodeError(
    'type',
    `json: cannot unmarshal ${jsonKindOf(value)} into Go struct field .${name} of type string`,
  );
}

/** The name of a value in Go's messages: `string`, `number`, `bool`, `array`, `object`. */
export function jsonKindOf(value: unknown): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof JsonNumber) return 'number';
  if (Array.isArray(value)) return 'array';
  if (value instanceof JsonObject) return 'object';
  return isRawNumber(value) ? 'number' : 'object';
}
