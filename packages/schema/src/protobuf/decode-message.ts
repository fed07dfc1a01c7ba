/** Decodes protobuf to plain values, which the JSON decoder then normalizes. Compiled once per type into closures. */

import { toBase64 } from '../scalars/base64.ts';
import { formatDuration } from '../scalars/duration.ts';
import { formatInstant } from '../scalars/time.ts';
import { shortNameOf } from '../shape.ts';
import { parseJson, exactTree } from '../json/parsed.ts';
import { plainOf, setMember } from '../json/tree.ts';
import {
  resolved,
  type ListType,
  type MapType,
  type ScalarName,
  type ScalarType,
  type StructType,
  type Type,
} from '../type.ts';
import { protobufFieldsOf, type ProtobufField } from './shape.ts';
import { ProtobufError, type MessageReader } from '@coxswain/protobuf/message-reader.ts';

/** Unknown fields are skipped. @throws ProtobufError */
export function decodeMessage(type: StructType, reader: MessageReader): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  readStruct(type, reader, object);
  return object;
}

type ReadField = (reader: MessageReader, object: Record<string, unknown>, tag: number) => void;
/** @param before what an earlier field of the same message gave; a struct's fields are added to it */
type ReadValue = (reader: MessageReader, before?: unknown) => unknown;

interface CompiledStruct {
  readonly name: string;
  readonly fields: ReadonlyMap<number, ReadField>;
}

const compiledStructs = new WeakMap<StructType, CompiledStruct>();

function compiledStruct(type: StructType): CompiledStruct {
  let compiled = compiledStructs.get(type);
  if (compiled === undefined) {
    const fields = protobufFieldsOf(type).map((field) => [field.number, fieldReader(field)] as const);
    compiled = { name: shortNameOf(type), fields: new Map(fields) };
    compiledStructs.set(type, compiled);
  }
  return compiled;
}

function readStruct(type: StructType, reader: MessageReader, object: Record<string, unknown>): void {
  const { name, fields } = compiledStruct(type);
  while (!reader.isAtEnd) {
    const tag = reader.checkedTag(name);
    const read = fields.get(Math.floor(tag / 8));
    if (read === undefined) reader.skip(tag);
    else read(reader, object, tag);
  }
}

function fieldReader({ name, goName, type, isEmbedded }: ProtobufField): ReadField {
  if (isEmbedded) {
    return (reader, object, tag) => {
      checkWireType(tag, delimited, goName);
      readStruct(type as StructType, reader.message(), object);
    };
  }
  if (type.form === 'list' && !type.wrapped) return listReader(name, goName, type);
  if (type.form === 'map') return mapReader(name, goName, type);
  const read = valueReader(type);
  const wireType = wireTypeOf(type);
  return (reader, object, tag) => {
    checkWireType(tag, wireType, goName);
    object[name] = read(reader, object[name]);
  };
}

const varint = 0;
const fixed64 = 1;
const delimited = 2;

const wireTypeOf = (type: Type): number =>
  type.form === 'scalar' ? (wireTypes[type.scalar] ?? delimited) : delimited;

const wireTypes: Partial<Record<ScalarName, number>> = {
  bool: varint,
  int32: varint,
  int64: varint,
  float64: fixed64,
};

function checkWireType(tag: number, expected: number, goName: string): void {
  if (tag % 8 !== expected) throw new ProtobufError(`proto: wrong wireType = ${tag % 8} for field ${goName}`);
}

/** Numbers may also be packed into one field. */
function listReader(name: string, goName: string, { element }: ListType): ReadField {
  const compiled = lazily(() => {
    const type = resolved(element);
    return { read: valueReader(type), wireType: wireTypeOf(type) };
  });
  return (reader, object, tag) => {
    const { read, wireType } = compiled();
    const list = (object[name] ??= []) as unknown[];
    if (wireType !== delimited && tag % 8 === delimited) {
      for (const packed = reader.message(); !packed.isAtEnd;) list.push(read(packed));
      return;
    }
    checkWireType(tag, wireType, goName);
    list.push(read(reader));
  };
}

/** The wire types of keys and values are not checked. */
function mapReader(name: string, goName: string, { value: valueType }: MapType): ReadField {
  const read = lazily(() => valueReader(resolved(valueType)));
  return (reader, object, outerTag) => {
    checkWireType(outerTag, delimited, goName);
    const map = (object[name] ??= {}) as Record<string, unknown>;
    const entry = reader.entry();
    let key = '';
    let value: unknown = null;
    while (!entry.isAtEnd) {
      const tag = entry.tag();
      if (tag >> 3 === 1) key = entry.text();
      else if (tag >> 3 === 2) value = read()(entry);
      else entry.skip(tag);
    }
    setMember(map, key, value);
  };
}

function valueReader(type: Type): ReadValue {
  switch (type.form) {
    case 'struct':
      return (reader, before) => {
        const object = (before ?? {}) as Record<string, unknown>;
        readStruct(type, reader.message(), object);
        return object;
      };
    case 'list': {
      const read = listReader('items', 'Items', type);
      const messageName = lastName(type.goName ?? '');
      return (reader, before) => {
        const holder: Record<string, unknown> = { items: before ?? [] };
        for (const message = reader.message(); !message.isAtEnd;) {
          const tag = message.checkedTag(messageName);
          if (tag >> 3 === 1) read(message, holder, tag);
          else message.skip(tag);
        }
        return holder['items'];
      };
    }
    case 'scalar':
      return type.either === undefined ? scalarReaders[type.scalar] : eitherReader(type.either);
    default:
      throw new Error(`protobuf has no ${type.form} here`);
  }
}

/** `ExtraValue` of `v1.ExtraValue`. */
const lastName = (goName: string): string => goName.slice(goName.lastIndexOf('.') + 1);

interface Part {
  readonly goName: string;
  readonly wireType: number;
  readonly read: ReadValue;
}

/** The scalar fields of a small message, by number. */
function partsOf(
  reader: MessageReader,
  messageName: string,
  parts: Readonly<Record<number, Part>>,
): Record<number, unknown> {
  const values: Record<number, unknown> = {};
  const message = reader.message();
  while (!message.isAtEnd) {
    const tag = message.checkedTag(messageName);
    const part = parts[tag >> 3];
    if (part === undefined) message.skip(tag);
    else {
      checkWireType(tag, part.wireType, part.goName);
      values[tag >> 3] = part.read(message);
    }
  }
  return values;
}

const readText: ReadValue = (reader) => reader.text();
const readInt64: ReadValue = (reader) => reader.int64();
const readInt32: ReadValue = (reader) => reader.int32();

const timestampParts: Readonly<Record<number, Part>> = {
  1: { goName: 'Seconds', wireType: varint, read: readInt64 },
  2: { goName: 'Nanos', wireType: varint, read: readInt32 },
};

const nanosecondsPerSecond = 1_000_000_000;

const readInstant =
  (decimals: 0 | 6): ReadValue =>
  (reader) => {
    const parts = partsOf(reader, 'Timestamp', timestampParts);
    if (parts[1] === undefined && parts[2] === undefined) return null;
    const nanoseconds = (parts[2] ?? 0) as number;
    const moreSeconds = decimals === 0 ? 0 : Math.floor(nanoseconds / nanosecondsPerSecond);
    return formatInstant(
      {
        seconds: ((parts[1] ?? 0) as number) + moreSeconds,
        nanoseconds: nanoseconds - moreSeconds * nanosecondsPerSecond,
      },
      decimals,
    );
  };

const readJson = (messageName: string, goName = 'Raw'): ReadValue => {
  const raw = { 1: { goName, wireType: delimited, read: readText } };
  return (reader, before = null) => {
    const text = partsOf(reader, messageName, raw)[1] as string | undefined;
    if (text === undefined) return before;
    const parsed = parseJson(text);
    return parsed.members < 0 ? plainOf(exactTree(text)) : parsed.value;
  };
};

const quantityParts = { 1: { goName: 'String_', wireType: delimited, read: readText } };
const durationParts = { 1: { goName: 'Duration', wireType: varint, read: readInt64 } };
const intOrStringParts: Readonly<Record<number, Part>> = {
  1: { goName: 'Type', wireType: varint, read: readInt64 },
  2: { goName: 'IntVal', wireType: varint, read: readInt32 },
  3: { goName: 'StrVal', wireType: delimited, read: readText },
};

const scalarReaders: Readonly<Record<ScalarName, ReadValue>> = {
  string: readText,
  bytes: (reader) => toBase64(reader.bytes()),
  bool: (reader) => reader.varint() !== 0,
  int32: readInt32,
  int64: readInt64,
  float64: (reader) => reader.double(),
  quantity: (reader, before = '0') => partsOf(reader, 'Quantity', quantityParts)[1] ?? before,
  intOrString: (reader, before = 0) => {
    const parts = partsOf(reader, 'IntOrString', intOrStringParts);
    const isText = parts[1] === undefined ? typeof before === 'string' : parts[1] === 1;
    if (isText) return parts[3] ?? (typeof before === 'string' ? before : '');
    return parts[2] ?? (typeof before === 'number' ? before : 0);
  },
  time: readInstant(0),
  microTime: readInstant(6),
  duration: (reader) =>
    formatDuration(BigInt((partsOf(reader, 'Duration', durationParts)[1] ?? 0) as number | bigint)),
  rawExtension: readJson('RawExtension'),
  fieldsV1: readJson('FieldsV1'),
  any: readJson('JSON'),
};

function eitherReader({ object, other }: NonNullable<ScalarType['either']>): ReadValue {
  const schema = lazily(() => valueReader(resolved(object)));
  return (reader) => {
    const items: unknown[] = [];
    const message = reader.message();
    let value: unknown;
    while (!message.isAtEnd) {
      const tag = message.tag();
      const number = tag >> 3;
      if (other === 'bool' && number === 1) value ??= message.varint() !== 0;
      else if (number === (other === 'bool' ? 2 : 1)) value = schema()(message);
      else if (number === 2) items.push(other === 'list' ? schema()(message) : message.text());
      else message.skip(tag);
    }
    return value ?? items;
  };
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
