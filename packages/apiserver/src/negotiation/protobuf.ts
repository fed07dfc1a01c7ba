/** Objects in the `k8s\0` envelope, and what goes wrong with such bodies. */
import {
  DecodeError,
  decodeEnvelope,
  decodeProtobuf,
  encodeProtobuf,
  encodeWatchFrame,
  ProtobufError,
  type Kind,
  type ProtobufEnvelope,
  type StructType,
} from '@coxswain/schema';

/** @param struct the object's type, where it isn't the kind's own: a list */
export function protobufOf(kind: Kind, struct: StructType, object: unknown): Uint8Array {
  return encodeProtobuf(struct, { ...(object as object), apiVersion: kind.apiVersion, kind: kind.kind });
}

/** What an envelope says it holds. @throws DecodeError */
export function envelopeOf(bytes: Uint8Array): ProtobufEnvelope {
  if (bytes.length === 0) throw new DecodeError('syntax', 'empty data');
  return decoding(() => decodeEnvelope(bytes));
}

/** The object of a body in protobuf. @throws DecodeError */
export function protobufObject(kind: Kind, bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new DecodeError('syntax', 'empty data');
  return decoding(() => decodeProtobuf(kind.type, decodeEnvelope(bytes)));
}

/** A watch event in protobuf: four bytes of length, then a WatchEvent around the object's envelope. */
export const protobufFrame = (type: string, kind: Kind, object: unknown): Uint8Array =>
  encodeWatchFrame(type, protobufOf(kind, kind.type, object));

function decoding<T>(decode: () => T): T {
  try {
    return decode();
  } catch (failure) {
    if (failure instanceof ProtobufError) throw new DecodeError('syntax', failure.message);
    // The reader is recursive, and what nests deeper than its stack is no honest body.
    if (failure instanceof RangeError) throw new DecodeError('syntax', 'proto: exceeded max depth');
    throw failure;
  }
}
