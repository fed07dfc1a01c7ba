/** A watch whose connection breaks. */

import type { KubeObject, WatchEvent } from '@coxswain/apimachinery';
import type { ApiResponse, EventStream, StreamSink } from '@coxswain/apiserver/http/api-response.ts';

/** Returns the same response, ending after this many events, or over a connection, after this many writes of events. */
export function endingAfter(response: ApiResponse, eventsMax: number): ApiResponse {
  const { body } = response;
  if (body.kind === 'events')
    return { ...response, body: { kind: 'events', events: first(body.events, eventsMax) } };
  if (body.kind !== 'stream') return response;
  return { ...response, body: { ...body, open: (sink) => body.open(closingAfter(sink, eventsMax)) } };
}

const first = (events: EventStream, eventsMax: number): EventStream => ({
  whenOver: (listener) => events.whenOver(listener),
  [Symbol.asyncIterator]: () => firstOf(events, eventsMax),
});

async function* firstOf(
  events: EventStream,
  eventsMax: number,
): AsyncGenerator<readonly WatchEvent<KubeObject>[]> {
  let left = eventsMax;
  const reader = events[Symbol.asyncIterator]();
  // Nothing reads it any further, which alone would not end it.
  if (left <= 0) await reader.return?.();
  for await (const batch of events) {
    yield batch.slice(0, left);
    left -= batch.length;
    if (left <= 0) return;
  }
}

function closingAfter(sink: StreamSink, writesMax: number): StreamSink {
  let left = writesMax;
  let closed: (() => void) | undefined;
  const close = () => {
    left = -1;
    sink.end();
    closed?.();
  };
  if (left <= 0) queueMicrotask(close);
  return {
    get bytesPending() {
      return sink.bytesPending;
    },
    write(bytes) {
      if (left <= 0) return;
      sink.write(bytes);
      if (--left === 0) close();
    },
    end: () => left >= 0 && sink.end(),
    abort: () => left >= 0 && sink.abort(),
    drained: () => sink.drained(),
    onClose(listener) {
      closed = listener;
      sink.onClose(listener);
    },
  };
}
