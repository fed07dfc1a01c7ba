/** The `k8s\0` envelope around an object's protobuf form. */
import { StatusError } from '@coxswain/apimachinery';
import type { Kind, StructType } from '@coxswain/schema';

export function protobufOf(_kind: Kind | undefined, _struct: StructType | undefined, _object: unknown): Uint8Array {
  throw new StatusError(406, 'NotAcceptable', 'protobuf is not implemented yet');
}

/** The object of a body in protobuf. @throws DecodeError */
export function protobufObject(_kind: Kind, _bytes: Uint8Array): unknown {
  throw new StatusError(415, 'UnsupportedMediaType', 'protobuf is not implemented yet');
}

/** A watch event in protobuf: four bytes of length, then a WatchEvent around the object's envelope. */
export function protobufFrame(_type: string, _kind: Kind, _object: unknown): Uint8Array {
  throw new StatusError(406, 'NotAcceptable', 'protobuf is not implemented yet');
}
