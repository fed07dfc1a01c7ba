/** A body that arrives over HTTP/2. The flow-control window grows only as fast as it is read. */
import type { ServerStream } from '@coxswain/http2';
import { ArrivingBody } from './arriving-body.ts';
import type { BodyStream } from './request-body.ts';

export function http2Body(stream: ServerStream): BodyStream {
  const body = new ArrivingBody(stream.head.contentLength, (bytes) => stream.giveBack(bytes));
  stream.listener = { onData: (bytes) => body.add(bytes), onEnd: () => body.end() };
  stream.onClose(() => body.fail());
  return body;
}
