/** Decodes a watch event's message, without the length prefix. */
import { MessageReader } from '@coxswain/protobuf/message-reader.ts';

export interface WatchMessage {
  readonly type: string;
  /** An envelope. */
  readonly object: Uint8Array;
}

/** @throws ProtobufError */
export function decodeWatchEvent(bytes: Uint8Array): WatchMessage {
  let type = '';
  let object = new Uint8Array();
  const reader = new MessageReader(bytes);
  while (!reader.isAtEnd) {
    const tag = reader.tag();
    if (tag === 0x0a) type = reader.text();
    else if (tag === 0x12) object = rawOf(reader.message());
    else reader.skip(tag);
  }
  return { type, object };
}

/** Of a RawExtension. */
function rawOf(reader: MessageReader): Uint8Array<ArrayBuffer> {
  let raw = new Uint8Array();
  while (!reader.isAtEnd) {
    const tag = reader.tag();
    if (tag === 0x0a) raw = reader.bytes() as Uint8Array<ArrayBuffer>;
    else reader.skip(tag);
  }
  return raw;
}
