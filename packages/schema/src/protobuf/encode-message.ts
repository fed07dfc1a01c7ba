/** Encodes objects as protobuf exactly as upstream (gogo) does. Compiled once per type into closures. */

import { parseDuration } from '../scalars/duration.ts';
import { parseTime } from '../scalars/time.ts';
import { bigintsAsNumbers, isRawNumber } from '../scalars/raw-number.ts';
import {
  resolved,
  type ListType,
  type MapType,
  type ScalarName,
  type ScalarType,
  type StructType,
  type Type,
} from '../type.ts';
import { MessageWriter } from '@coxswain/protobuf/message-writer.ts';
import { protobufFieldsOf, type ProtobufField } from './shape.ts';

const writer = new MessageWriter();
const utf8 = new TextEncoder();

export function encodeMessage(type: StructType, object: unknown): Uint8Array {
  // A failed encoding may have left partial output.
  writer.reset();
  writeStruct(type, object);
  return writer.finish();
}

type WriteField = (object: Record<string, unknown>) => void;

const compiledStructs = new WeakMap<StructType, readonly WriteField[]>();

/** Writes fields from the last to the first, since the writer works backwards. */
function writeStruct(type: StructType, value: unknown): void {
  let fields = compiledStructs.get(type);
  if (fields === undefined) {
    fields = protobufFieldsOf(type).map(fieldWriter).reverse();
    compiledStructs.set(type, fields);
  }
  const object = (value ?? {}) as Record<string, unknown>;
  for (const write of fields) write(object);
}

function fieldWriter({ name, number, type, isPointer, isEmbedded }: ProtobufField): WriteField {
  if (isEmbedded) {
    return (object) => writeMessage(number, () => writeStruct(type as StructType, object));
  }
  if (type.form === 'list' && !type.wrapped) return listWriter(name, number, type);
  if (type.form === 'map') return mapWriter(name, number, type);
  const write = singleWriter(number, type);
  if (isPointer || type.form === 'list' || (type.form === 'scalar' && type.scalar === 'bytes')) {
    return (object) => {
      const value = object[name];
      if (value !== undefined && value !== null) write(value);
    };
  }
  return (object) => write(object[name]);
}

function listWriter(name: string, number: number, { element }: ListType): WriteField {
  const write = singleWriter(number, resolved(element));
  return (object) => {
    const list = object[name] as readonly unknown[] | null | undefined;
    if (!list) return;
    for (let index = list.length - 1; index >= 0; index--) write(list[index]);
  };
}

function mapWriter(name: string, number: number, { value: valueType }: MapType): WriteField {
  const write = singleWriter(2, resolved(valueType));
  return (object) => {
    const map = object[name] as Record<string, unknown> | null | undefined;
    if (!map) return;
    for (const key of Object.keys(map).sort().reverse()) {
      writeMessage(number, () => {
        write(map[key]);
        writer.text(key);
        writer.tag(1, 2);
      });
    }
  };
}

/** Writes a field's tag, length and content. */
function writeMessage(number: number, writeContents: () => void): void {
  const before = writer.length;
  writeContents();
  writer.varint(writer.length - before);
  writer.tag(number, 2);
}

/** Writes one value with its tag; `undefined` and `null` stand for zero. */
type WriteValue = (value: unknown) => void;

function singleWriter(number: number, type: Type): WriteValue {
  switch (type.form) {
    case 'struct':
      return (value) => writeMessage(number, () => writeStruct(type, value));
    case 'list':
      // A list in a list or map is a message of its own.
      return wrappedWriter(number, type);
    case 'scalar':
      return scalarWriter(number, type);
    default:
      throw new Error(`protobuf has no ${type.form} here`);
  }
}

function wrappedWriter(number: number, type: ListType): WriteValue {
  const write = listWriter('items', 1, type);
  return (value) => writeMessage(number, () => write({ items: value }));
}

function scalarWriter(number: number, type: ScalarType): WriteValue {
  if (type.either !== undefined) return eitherWriter(number, type.either);
  const plain = plainWriters[type.scalar];
  if (plain !== undefined) {
    const { wire, write } = plain;
    return (value) => {
      write(value);
      writer.tag(number, wire);
    };
  }
  const contents = messageWriters[type.scalar]!;
  return (value) => writeMessage(number, () => contents(value));
}

interface PlainWriter {
  readonly wire: 0 | 1 | 2;
  readonly write: WriteValue;
}

const asText: WriteValue = (value) => writer.text((value ?? '') as string);
const asInteger: WriteValue = (value) => writer.int64((value ?? 0) as number | bigint);

const plainWriters: Readonly<Partial<Record<ScalarName, PlainWriter>>> = {
  string: { wire: 2, write: asText },
  bytes: { wire: 2, write: (value) => writer.bytes(Uint8Array.fromBase64((value ?? '') as string)) },
  bool: { wire: 0, write: (value) => writer.varint(value === true ? 1 : 0) },
  int32: { wire: 0, write: asInteger },
  int64: { wire: 0, write: asInteger },
  float64: { wire: 1, write: (value) => writer.double((value ?? 0) as number) },
};

const writeTime: WriteValue = (value) => {
  if (value === undefined || value === null) return;
  const { seconds, nanoseconds } = parseTime(value as string);
  writer.varint(nanoseconds);
  writer.tag(2, 0);
  writer.int64(seconds);
  writer.tag(1, 0);
};

const writeJson: WriteValue = (value) => {
  if (value === undefined || value === null) return;
  writer.bytes(utf8.encode(jsonText(value)));
  writer.tag(1, 2);
};

/** Without Go's escapes: upstream passes a client's bytes through unchanged. */
const jsonText = (value: unknown): string => JSON.stringify(value, bigintsAsNumbers);

const messageWriters: Readonly<Partial<Record<ScalarName, WriteValue>>> = {
  quantity: (value) => {
    writer.text((value ?? '0') as string);
    writer.tag(1, 2);
  },
  intOrString: (value) => {
    const isText = typeof value === 'string';
    writer.text(isText ? value : '');
    writer.tag(3, 2);
    writer.int64(isText ? 0 : ((value ?? 0) as number));
    writer.tag(2, 0);
    writer.varint(isText ? 1 : 0);
    writer.tag(1, 0);
  },
  time: writeTime,
  microTime: writeTime,
  duration: (value) => {
    writer.int64(parseDuration((value ?? '0') as string));
    writer.tag(1, 0);
  },
  rawExtension: writeJson,
  fieldsV1: writeJson,
  any: writeJson,
};

/** Go has structs of three kinds for a schema or something else. */
function eitherWriter(number: number, { object, other }: NonNullable<ScalarType['either']>): WriteValue {
  const schemaNumber = other === 'bool' ? 2 : 1;
  const writeSchema = lazily(() => singleWriter(schemaNumber, resolved(object)));
  const writeItem = lazily(() => singleWriter(2, resolved(object)));
  return (value) =>
    writeMessage(number, () => {
      const isSchema =
        typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
      if (isSchema) writeSchema()(value);
      if (other === 'bool') {
        writer.varint(isSchema || value === true ? 1 : 0);
        writer.tag(1, 0);
      } else if (Array.isArray(value)) {
        for (const item of (value as unknown[]).toReversed()) {
          if (other === 'list') writeItem()(item);
          else {
            writer.text(item as string);
            writer.tag(2, 2);
          }
        }
      }
    });
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
