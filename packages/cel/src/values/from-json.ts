/** Wraps decoded JSON as values without copying; converts it by a declared type if there is one. */

import type { DeclaredField, DeclaredType } from '../types/declared-type.ts';
import { mapOfDyn, type CelType } from '../types/type.ts';
import { parseBase64 } from './base64.ts';
import { Double } from './double.ts';
import { equalValues } from './equal.ts';
import { CelError, noSuchOverload } from './error.ts';
import { intFromBigInt } from './int.ts';
import { ListValue, MapValue, StructValue, type Value } from './value.ts';
import { KeyedList, SetList } from './list-types.ts';
import { parseLenientDuration } from './schema-duration.ts';
import { Timestamp, parseTimestamp } from './timestamp.ts';

/** @param json null, booleans, numbers, bigints, raw numbers, strings, arrays and plain objects */
export function valueOf(json: unknown, declared?: DeclaredType): Value {
  if (!declared) return dynamicValue(json);
  if (json === null || json === undefined) return declared.isNullable ? null : nullNotAllowed;
  switch (declared.type.kind) {
    case 'string':
      return typeof json === 'string' ? json : unexpected('string', json);
    case 'int':
      return wholeNumber(json) ?? unexpected('int', json);
    case 'bool':
      return typeof json === 'boolean' ? json : unexpected('bool', json);
    case 'double':
      return doubleValue(json) ?? unexpected('float', json);
    case 'list':
      return Array.isArray(json) ? declaredListValue(json, declared) : notOfType('an array', 'array');
    case 'map':
      return isObject(json) ? new JsonMap(json, declared.element) : notOfType('a map', 'object');
    case 'struct':
      return isObject(json) ? new JsonObject(json, declared) : notOfType('a map', 'object');
    case 'timestamp':
    case 'duration':
    case 'bytes':
      return typeof json === 'string' ? formattedValue(json, declared) : unexpected('string', json);
    default:
      return declared.isIntOrString ? intOrString(json) : dynamicValue(json);
  }
}

type JsonRecord = Readonly<Record<string, unknown>>;

const isObject = (json: unknown): json is JsonRecord =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

const nullNotAllowed = new CelError('invalid data, got null for schema with nullable=false');

const notOfType = (expected: string, type: string): CelError =>
  new CelError(`invalid data, expected ${expected} for the provided schema with type=${type}`);

const unexpected = (expected: string, json: unknown): CelError =>
  new CelError(`invalid data, expected ${expected}, got ${goTypeOf(json)}`);

function goTypeOf(json: unknown): string {
  if (Array.isArray(json)) return '[]interface {}';
  switch (typeof json) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(json) ? 'int64' : 'float64';
    default:
      return typeof json === 'bigint' ? 'int64' : 'map[string]interface {}';
  }
}

function wholeNumber(json: unknown): Value | undefined {
  if (Number.isSafeInteger(json)) return (json as number) + 0;
  const isWhole = typeof json === 'bigint' || Number.isInteger(json);
  return isWhole ? intFromBigInt(BigInt(json as number | bigint)) : undefined;
}

function doubleValue(json: unknown): Value | undefined {
  if (typeof json === 'number') return new Double(json);
  if (typeof json === 'bigint') return new Double(Number(json));
  const raw = rawNumber(json);
  return raw === undefined ? undefined : new Double(Number(raw));
}

/** The text of a number that a decoder kept as it was written: `1.0`, `1E5`. */
const rawNumber = (json: unknown): string | undefined =>
  isRawJson(json) ? (json as { readonly rawJSON: string }).rawJSON : undefined;

/** TypeScript's library doesn't have it yet. */
const isRawJson = (value: unknown): boolean =>
  (JSON as typeof JSON & { isRawJSON(value: unknown): boolean }).isRawJSON(value);

function intOrString(json: unknown): Value {
  if (typeof json === 'string') return json;
  const message = 'invalid data, expected XIntOrString value to be either a string or integer';
  return wholeNumber(json) ?? new CelError(message);
}

function formattedValue(text: string, { format }: DeclaredType): Value {
  switch (format) {
    case 'duration':
      return (
        parseLenientDuration(text) ??
        new CelError(`Invalid duration ${text}: unable to parse ${text} as duration`)
      );
    case 'date':
      return parseTimestamp(`${text}T00:00:00Z`) ?? new CelError(`Invalid date formatted string ${text}`);
    case 'date-time':
      return parseDateTime(text) ?? new CelError(`Invalid date-time formatted string ${text}`);
    default:
      return parseBase64(text) ?? new CelError(`Invalid byte formatted string ${text}`);
  }
}

/** OpenAPI's format takes a missing zone for UTC, and keeps milliseconds. */
function parseDateTime(text: string): Timestamp | undefined {
  const upper = text.toUpperCase();
  return parseTimestamp(upper) ?? parseTimestamp(`${upper}Z`);
}

function declaredListValue(json: readonly unknown[], declared: DeclaredType): ListValue {
  const list = new JsonList(json, declared.element);
  if (declared.listType === 'set') return new SetList(list.items());
  return declared.listType === 'map' ? new KeyedList(list.items(), declared.listMapKeys ?? []) : list;
}

/** Integers stay ints; other numbers are doubles. */
function dynamicValue(json: unknown): Value {
  switch (typeof json) {
    case 'string':
    case 'boolean':
      return json;
    case 'number':
      return wholeNumber(json) ?? new Double(json);
    case 'bigint':
      return intFromBigInt(json) ?? new Double(Number(json));
    default:
      return json === null || json === undefined ? null : dynamicObject(json);
  }
}

function dynamicObject(json: object): Value {
  if (Array.isArray(json)) return new JsonList(json, undefined);
  const raw = rawNumber(json);
  if (raw !== undefined) return new Double(Number(raw));
  return json instanceof StructValue || json instanceof MapValue
    ? json
    : new JsonMap(json as JsonRecord, undefined);
}

/** An array whose elements are converted when they are read. */
class JsonList extends ListValue {
  readonly #elements: readonly unknown[];
  readonly #declared: DeclaredType | undefined;

  constructor(elements: readonly unknown[], declared: DeclaredType | undefined) {
    super();
    this.#elements = elements;
    this.#declared = declared;
  }

  get size(): number {
    return this.#elements.length;
  }

  at(index: number): Value {
    return valueOf(this.#elements[index], this.#declared);
  }
}

class JsonMap extends MapValue {
  readonly #entries: JsonRecord;
  readonly #declared: DeclaredType | undefined;

  constructor(entries: JsonRecord, declared: DeclaredType | undefined) {
    super();
    this.#entries = entries;
    this.#declared = declared;
  }

  get size(): number {
    return Object.keys(this.#entries).length;
  }

  get(key: Value): Value | undefined {
    if (typeof key !== 'string') return this.#declared ? noSuchOverload : undefined;
    if (!Object.hasOwn(this.#entries, key)) return undefined;
    return valueOf(this.#entries[key], this.#declared);
  }

  keys(): readonly Value[] {
    return Object.keys(this.#entries);
  }
}

/** An object with a schema. Null fields count as absent. */
class JsonObject extends StructValue {
  readonly #json: JsonRecord;
  readonly #declared: DeclaredType;

  constructor(json: JsonRecord, declared: DeclaredType) {
    super();
    this.#json = json;
    this.#declared = declared;
  }

  /** Upstream's objects are maps at run time. */
  get type(): CelType {
    return mapOfDyn;
  }

  get(name: string): Value {
    const field = this.#field(name);
    const raw = field && Object.hasOwn(this.#json, field.dataName) ? this.#json[field.dataName] : undefined;
    if (raw === undefined || raw === null) return new CelError(`no such key: ${name}`);
    return valueOf(raw, field!.type);
  }

  has(name: string): Value {
    const field = this.#field(name);
    if (!field || !Object.hasOwn(this.#json, field.dataName)) return false;
    return this.#json[field.dataName] !== null && this.#json[field.dataName] !== undefined;
  }

  /** A reserved word may be written without its underscores. */
  #field(name: string): DeclaredField | undefined {
    const { fields } = this.#declared;
    return fields?.get(name) ?? fields?.get(`__${name}__`);
  }

  override keys(): readonly string[] {
    return [...(this.#declared.fields?.keys() ?? [])].filter((name) => this.has(name) === true);
  }

  override get entryCount(): number {
    return Object.keys(this.#json).length;
  }

  equals(other: Value): boolean {
    if (other instanceof JsonObject) return this.#equalsObject(other);
    if (!(other instanceof MapValue) || other.size !== this.entryCount) return false;
    return this.keys().every((name) => {
      const found = other.get(name);
      return found !== undefined && equalValues(this.get(name), found);
    });
  }

  /** Fields that the schema doesn't describe are compared as plain data. */
  #equalsObject(other: JsonObject): boolean {
    if (this.entryCount !== other.entryCount) return false;
    const declared = new Set(Array.from(this.#declared.fields?.values() ?? [], (field) => field.dataName));
    const unknown = Object.keys(this.#json).filter((name) => !declared.has(name));
    return (
      this.keys().every((name) => other.has(name) === true && equalValues(this.get(name), other.get(name))) &&
      unknown.every((name) => equalValues(dynamicValue(this.#json[name]), dynamicValue(other.#json[name])))
    );
  }
}
