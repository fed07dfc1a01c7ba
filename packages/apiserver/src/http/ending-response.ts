/** Detects the end of a streamed response. */
import type { ApiResponse, StreamSink } from './api-response.ts';

export const isOpenEnded = ({ body }: ApiResponse): boolean =>
  body.kind === 'stream' || body.kind === 'events' || body.kind === 'upgrade';

/** Returns the response; `over` is called once, when it has ended or the client has disconnected. */
export function whenOver(response: ApiResponse, over: () => void): ApiResponse {
  const { body } = response;
  switch (body.kind) {
    case 'stream':
      return { ...response, body: { ...body, open: (sink) => body.open(endingSink(sink, over)) } };
    case 'events':
      body.events.whenOver(over);
      return response;
    case 'upgrade':
      return { ...response, body: { kind: 'upgrade', accept: endingUpgrade(body.accept, over) } };
    default:
      over();
      return response;
  }
}

function endingSink(sink: StreamSink, over: () => void): StreamSink {
  let isOver = false;
  const end = () => {
    if (!isOver) over();
    isOver = true;
  };
  let isClosed = false;
  let closed: (() => void) | undefined;
  // Calls back at once if the client has left before the response began.
  sink.onClose(() => {
    isClosed = true;
    closed?.();
    end();
  });
  return {
    get bytesPending() {
      return sink.bytesPending;
    },
    write: (bytes) => sink.write(bytes),
    drained: () => sink.drained(),
    onClose(listener) {
      if (isClosed) listener();
      else closed = listener;
    },
    end() {
      sink.end();
      end();
    },
    abort() {
      sink.abort();
      end();
    },
  };
}

interface Closing {
  once?(event: 'close', listener: () => void): unknown;
}

const endingUpgrade =
  (accept: (socket: unknown, head: Uint8Array) => void, over: () => void) =>
  (socket: unknown, head: Uint8Array): void => {
    (socket as Closing).once?.('close', over);
    accept(socket, head);
  };
