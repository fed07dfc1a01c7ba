export { decode } from './decode-table.ts';
export { encode } from './encode-table.ts';
export { MessageReader, ProtobufError } from './message-reader.ts';
export { field, optional, packed, repeated } from './message-table.ts';
export type { Decoded, Field, Input, MessageTable } from './message-table.ts';
export { MessageTooLarge, MessageWriter } from './message-writer.ts';
