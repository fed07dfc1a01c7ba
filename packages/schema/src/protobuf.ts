/**
 * Objects in protobuf, on the wire and in storage: the magic number, an envelope with apiVersion and kind, and the
 * object's own message inside.
 */

import { decodeValue } from './decode.ts';
import { decodeMessage } from './protobuf/decode-message.ts';
import { encodeMessage } from './protobuf/encode-message.ts';
import { MessageReader, ProtobufError } from '@coxswain/protobuf/message-reader.ts';
import { MessageWriter } from '@coxswain/protobuf/message-writer.ts';
import type { Fields, StructType } from './type.ts';

export { ProtobufError };

/** `k8s\0` */
const magic = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

export interface ProtobufEnvelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object's message. */
  readonly raw: Uint8Array;
}

export const isProtobuf = (bytes: Uint8Array): boolean => magic.every((byte, index) => bytes[index] === byte);

/** The object must be normalized, or complete for its kind. */
export function encodeProtobuf(type: StructType, object: { apiVersion?: string; kind?: string }): Uint8Array {
  return encodeEnvelope({
    apiVersion: object.apiVersion ?? '',
    kind: object.kind ?? '',
    raw: encodeMessage(type, object),
  });
}

function encodeEnvelope({ apiVersion, kind, raw }: ProtobufEnvelope): Uint8Array {
  const writer = new MessageWriter();
  writer.raw(encodingAndType);
  writer.bytes(raw);
  writer.tag(2, 2);
  writeTypeMeta(writer, apiVersion, kind);
  writer.raw(magic);
  return writer.finish();
}

/** The end of an envelope: contentEncoding and contentType, both empty. */
const encodingAndType = Uint8Array.of(0x1a, 0x00, 0x22, 0x00);

function writeTypeMeta(writer: MessageWriter, apiVersion: string, kind: string): void {
  const before = writer.length;
  writer.text(kind);
  writer.tag(2, 2);
  writer.text(apiVersion);
  writer.tag(1, 2);
  writer.varint(writer.length - before);
  writer.tag(1, 2);
}

/** @throws ProtobufError for anything but an envelope */
export function decodeEnvelope(bytes: Uint8Array): ProtobufEnvelope {
  if (!isProtobuf(bytes)) {
    throw new ProtobufError(
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    );
  }
  if (bytes.length === magic.length) throw new ProtobufError('empty body');
  const envelope = { apiVersion: '', kind: '', raw: new Uint8Array() as Uint8Array };
  const reader = new MessageReader(bytes, magic.length);
  while (!reader.isAtEnd) {
    const tag = reader.checkedTag('Unknown');
    const name = envelopeFields[tag >> 3];
    if (name === undefined) {
      reader.skip(tag);
      continue;
    }
    checkDelimited(tag, name);
    if (name === 'TypeMeta') readTypeMeta(reader.message(), envelope);
    else if (name === 'Raw') envelope.raw = reader.bytes();
    else reader.bytes();
  }
  return envelope;
}

/** Of upstream's `runtime.Unknown`, by number. */
const envelopeFields: Readonly<Record<number, string>> = {
  1: 'TypeMeta',
  2: 'Raw',
  3: 'ContentEncoding',
  4: 'ContentType',
};

function readTypeMeta(reader: MessageReader, meta: { apiVersion: string; kind: string }): void {
  while (!reader.isAtEnd) {
    const tag = reader.checkedTag('TypeMeta');
    const number = tag >> 3;
    if (number !== 1 && number !== 2) {
      reader.skip(tag);
      continue;
    }
    checkDelimited(tag, number === 1 ? 'APIVersion' : 'Kind');
    meta[number === 1 ? 'apiVersion' : 'kind'] = reader.text();
  }
}

function checkDelimited(tag: number, field: string): void {
  if (tag % 8 !== 2) throw new ProtobufError(`proto: wrong wireType = ${tag % 8} for field ${field}`);
}

/**
 * Decodes the object of an envelope, normalized, with apiVersion and kind. @throws ProtobufError | DecodeError
 */
export function decodeProtobuf<T>(
  type: StructType<Fields, T>,
  { apiVersion, kind, raw }: ProtobufEnvelope,
): T {
  const values = decodeMessage(type, new MessageReader(raw));
  if (kind !== '') values['kind'] = kind;
  if (apiVersion !== '') values['apiVersion'] = apiVersion;
  return decodeValue(type, values).object;
}

/** An item as a field of a list's message: tag, length, message. */
export function encodeListItem(type: StructType, object: object): Uint8Array {
  const message = encodeMessage(type, object);
  const writer = new MessageWriter(message.length + itemHeadBytesMax);
  writer.bytes(message);
  writer.tag(itemsNumber, 2);
  return writer.finish();
}

/** The same in every list. */
const itemsNumber = 2;
const itemHeadBytesMax = 8;

/**
 * The bytes before and after the items of a list that were encoded one by one.
 * @param list without items
 */
export function encodeListAround(
  type: StructType,
  list: { apiVersion: string; kind: string },
  itemsBytes: number,
): { readonly head: Uint8Array; readonly tail: Uint8Array } {
  const metadata = encodeMessage(type, list);
  const writer = new MessageWriter();
  writer.raw(metadata);
  writer.varint(metadata.length + itemsBytes);
  writer.tag(2, 2);
  writeTypeMeta(writer, list.apiVersion, list.kind);
  writer.raw(magic);
  return { head: writer.finish(), tail: encodingAndType };
}

/** One frame of a watch stream: a 4-byte length, then type and object (an envelope, magic included). */
export function encodeWatchFrame(eventType: string, object: Uint8Array): Uint8Array {
  const writer = new MessageWriter();
  const before = writer.length;
  writer.bytes(object);
  writer.tag(1, 2);
  writer.varint(writer.length - before);
  writer.tag(2, 2);
  writer.text(eventType);
  writer.tag(1, 2);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, writer.length);
  writer.raw(length);
  return writer.finish();
}
