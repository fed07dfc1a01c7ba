export { errorCodes, preface } from './frames/frame.ts';
export type { HeaderField } from './hpack/header-field.ts';
export { addHeader, isTooLong, NamedValues } from './headers/named-values.ts';
export type { RequestHead, RequestHeaders } from './headers/request-head.ts';
export type { SentHeaders } from './hpack/encoder.ts';
export { UnreadBytes } from './output/unread-bytes.ts';
export { ServerConnection } from './server-connection.ts';
export type { ServerConnectionOptions } from './server-connection.ts';
export type { ServerStream, StreamListener } from './server-stream.ts';
