/** Objects in the `k8s\0` envelope, and the errors of such bodies. */
import { parseApiVersion } from '@coxswain/apimachinery';
import { apiVersionProblem } from '@coxswain/apimachinery/meta.ts';
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

/** @param struct the object's type, if it isn't the kind's own: a list */
export function protobufOf(kind: Kind, struct: StructType, object: unknown): Uint8Array {
  return encodeProtobuf(struct, { ...(object as object), apiVersion: kind.apiVersion, kind: kind.kind });
}

/** The type and content of an envelope. An apiVersion without a version counts as missing. @throws DecodeError */
export function envelopeOf(bytes: Uint8Array): ProtobufEnvelope {
  if (bytes.length === 0) throw new DecodeError('syntax', 'empty data');
  const envelope = decoding(() => decodeEnvelope(bytes));
  const { apiVersion } = envelope;
  const hasVersion =
    apiVersionProblem(apiVersion) === undefined && parseApiVersion(apiVersion).version !== '';
  return hasVersion ? envelope : { ...envelope, apiVersion: '' };
}

/** Decodes the object in an envelope. @throws DecodeError */
export const protobufObject = (kind: Kind, envelope: ProtobufEnvelope): unknown =>
  decoding(() => decodeProtobuf(kind.type, envelope));

/** A watch event in protobuf: four bytes of length, then a WatchEvent around the object's envelope. */
export const protobufFrame = (type: string, kind: Kind, object: unknown): Uint8Array =>
  encodeWatchFrame(type, protobufOf(kind, kind.type, object));

function decoding<T>(decode: () => T): T {
  try {
    return decode();
  } catch (failure) {
    if (failure instanceof ProtobufError) throw new DecodeError('syntax', failure.message);
    // The reader is recursive; input that exceeds its stack is malicious.
    if (failure instanceof RangeError) throw new DecodeError('syntax', 'proto: exceeded max depth');
    throw failure;
  }
}
