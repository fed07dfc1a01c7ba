/** Decodes protobuf to plain values, which the JSON decoder then normalizes. Compiled once per type into closures. */

import { toBase64 } from '../scalars/base64.ts';
import { formatDuration } from '../scalars/duration.ts';
import { formatInstant } from '../scalars/time.ts';
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
import type { MessageReader } from '@coxswain/protobuf/message-reader.ts';

/** Unknown fields are skipped. @throws ProtobufError */
export function decodeMessage(type: StructType, reader: MessageReader): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  readStruct(type, reader, object);
  return object;
}

type ReadField = (reader: MessageReader, object: Record<string, unknown>) => void;
type ReadValue = (reader: MessageReader) => unknown;

const compiledStructs = new WeakMap<StructType, ReadonlyMap<number, ReadField>>();

function readStruct(type: StructType, reader: MessageReader, object: Record<string, unknown>): void {
  let fields = compiledStructs.get(type);
  if (fields === undefined) {
    fields = new Map(protobufFieldsOf(type).map((field) => [field.number, fieldReader(field)]));
    compiledStructs.set(type, fields);
  }
  while (!reader.isAtEnd) {
    const tag = reader.tag();
    const read = fields.get(Math.floor(tag / 8));
    if (read === undefined) reader.skip(tag);
    else read(reader, object);
  }
}

function fieldReader({ name, type, isEmbedded }: ProtobufField): ReadField {
  if (isEmbedded) return (reader, object) => readStruct(type as StructType, reader.message(), object);
  if (type.form === 'list' && !type.wrapped) return listReader(name, type);
  if (type.form === 'map') return mapReader(name, type);
  const read = valueReader(type);
  return (reader, object) => {
    object[name] = read(reader);
  };
}

function listReader(name: string, { element }: ListType): ReadField {
  const read = lazily(() => valueReader(resolved(element)));
  return (reader, object) => {
    ((object[name] ??= []) as unknown[]).push(read()(reader));
  };
}

function mapReader(name: string, { value: valueType }: MapType): ReadField {
  const read = lazily(() => valueReader(resolved(valueType)));
  return (reader, object) => {
    const map = (object[name] ??= {}) as Record<string, unknown>;
    const entry = reader.message();
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
      return (reader) => decodeMessage(type, reader.message());
    case 'list': {
      const read = listReader('items', type);
      return (reader) => {
        const holder: Record<string, unknown> = { items: [] };
        for (const message = reader.message(); !message.isAtEnd;) {
          const tag = message.tag();
          if (tag >> 3 === 1) read(message, holder);
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

/** The scalar fields of a small message, by number. */
function partsOf(reader: MessageReader, read: Readonly<Record<number, ReadValue>>): Record<number, unknown> {
  const parts: Record<number, unknown> = {};
  const message = reader.message();
  while (!message.isAtEnd) {
    const tag = message.tag();
    const readPart = read[tag >> 3];
    if (readPart === undefined) message.skip(tag);
    else parts[tag >> 3] = readPart(message);
  }
  return parts;
}

const readText: ReadValue = (reader) => reader.text();
const readInt64: ReadValue = (reader) => reader.int64();

const readInstant =
  (decimals: 0 | 6): ReadValue =>
  (reader) => {
    const parts = partsOf(reader, { 1: readInt64, 2: readInt64 });
    if (parts[1] === undefined && parts[2] === undefined) return null;
    return formatInstant(
      { seconds: (parts[1] ?? 0) as number, nanoseconds: (parts[2] ?? 0) as number },
      decimals,
    );
  };

const readJson: ReadValue = (reader) => {
  const text = partsOf(reader, { 1: readText })[1] as string | undefined;
  if (text === undefined) return null;
  const parsed = parseJson(text);
  return parsed.members < 0 ? plainOf(exactTree(text)) : parsed.value;
};

const scalarReaders: Readonly<Record<ScalarName, ReadValue>> = {
  string: readText,
  bytes: (reader) => toBase64(reader.bytes()),
  bool: (reader) => reader.varint() !== 0,
  int32: (reader) => reader.int32(),
  int64: readInt64,
  float64: (reader) => reader.double(),
  quantity: (reader) => partsOf(reader, { 1: readText })[1] ?? '0',
  intOrString: (reader) => {
    const parts = partsOf(reader, { 1: readInt64, 2: (part) => part.int32(), 3: readText });
    return parts[1] === 1 ? (parts[3] ?? '') : (parts[2] ?? 0);
  },
  time: readInstant(0),
  microTime: readInstant(6),
  duration: (reader) =>
    formatDuration(BigInt((partsOf(reader, { 1: readInt64 })[1] ?? 0) as number | bigint)),
  rawExtension: readJson,
  fieldsV1: readJson,
  any: readJson,
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
