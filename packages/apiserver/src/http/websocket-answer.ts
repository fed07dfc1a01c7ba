/** Sends a streamed response as WebSocket messages: watches and logs for clients that request it, mostly browsers. */
import type { Duplex } from 'node:stream';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { WebSocketConnection, acceptHeaders, chooseProtocol, requestedProtocols } from '@coxswain/streaming';
import type { ApiRequest } from './api-request.ts';
import { emptyBody, type ApiResponse, type StreamSink } from './api-response.ts';
import { streamPendingBytesMax } from './transport-limits.ts';

type Open = (sink: StreamSink) => void;

interface StreamAnswer extends ApiResponse {
  readonly body: { readonly kind: 'stream'; readonly open: Open };
}

/** Divides written bytes into messages. */
interface Framing {
  messages(bytes: Uint8Array): Iterable<Uint8Array | string>;
}

/** Sends one message per event. A client without an Origin header is refused, as upstream does. */
export function watchOverWebSocket(request: ApiRequest, answer: StreamAnswer): ApiResponse {
  const protocols = requestedProtocols(request.headers);
  if (request.header('origin') === undefined || protocols.length > 1) return refused(403);
  const type = String(answer.headers['content-type'] ?? '');
  const framing = type.includes('json')
    ? lines()
    : type.includes('protobuf')
      ? lengthPrefixed()
      : asWritten();
  return upgraded(request, answer, protocols[0]!, framing);
}

const logProtocols = ['', 'binary.k8s.io', 'base64.binary.k8s.io'];

/** Sends parts as they arrive, after an empty message that confirms the connection. */
export function logOverWebSocket(request: ApiRequest, answer: StreamAnswer): ApiResponse {
  const protocol = chooseProtocol(request.headers, logProtocols);
  if (protocol === undefined) return refused(403);
  const isBase64 = protocol.startsWith('base64.');
  return upgraded(request, answer, protocol, parts(isBase64), isBase64 ? '' : new Uint8Array(0));
}

const refused = (status: number): ApiResponse => ({ status, headers: {}, body: emptyBody });

function upgraded(
  request: ApiRequest,
  { headers, body }: StreamAnswer,
  protocol: string,
  framing: Framing,
  first?: Uint8Array | string,
): ApiResponse {
  const accepted = acceptHeaders(request.headers, protocol);
  if (accepted === undefined) return refused(400);
  return {
    status: 101,
    headers: { ...headers, ...accepted },
    body: {
      kind: 'upgrade',
      accept(socket, head) {
        // Clients need not send anything; what they send is read and discarded.
        const connection = new WebSocketConnection({ socket: socket as Duplex, head, side: 'server' });
        if (first !== undefined) connection.send(first);
        body.open(sinkOf(connection, socket as Duplex, framing));
      },
    },
  };
}

function sinkOf(connection: WebSocketConnection, socket: Duplex, framing: Framing): StreamSink {
  return {
    get bytesPending() {
      return socket.writableLength;
    },
    write(bytes) {
      for (const message of framing.messages(bytes)) connection.send(message);
    },
    drained() {
      if (socket.destroyed || socket.writableLength < streamPendingBytesMax) return undefined;
      return new Promise((resolve) => connection.whenDrained(resolve));
    },
    end: () => connection.close(),
    abort: () => socket.destroy(),
    onClose: (listener) => whenFulfilled(connection.closed, listener),
  };
}

const newline = 10;

/** Splits into whole lines of JSON, including their line ends, as text. */
function lines(): Framing {
  let kept: Uint8Array[] = [];
  return {
    *messages(bytes) {
      let start = 0;
      for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
        kept.push(bytes.subarray(start, end + 1));
        yield Buffer.concat(kept).toString();
        kept = [];
        start = end + 1;
      }
      if (start < bytes.length) kept.push(Uint8Array.from(bytes.subarray(start)));
    },
  };
}

const lengthBytes = 4;

/** Removes the frames' length prefixes, since a message has a length of its own. */
function lengthPrefixed(): Framing {
  let kept: Buffer = Buffer.alloc(0);
  return {
    *messages(bytes) {
      kept = Buffer.concat([kept, bytes]);
      while (kept.length >= lengthBytes && kept.length >= lengthBytes + kept.readUInt32BE(0)) {
        const end = lengthBytes + kept.readUInt32BE(0);
        yield Uint8Array.from(kept.subarray(lengthBytes, end));
        kept = kept.subarray(end);
      }
    },
  };
}

const asWritten = (): Framing => ({
  *messages(bytes) {
    yield Uint8Array.from(bytes);
  },
});

/** Upstream's read size. */
const partBytesMax = 2048;

function parts(isBase64: boolean): Framing {
  return {
    *messages(bytes) {
      for (let start = 0; start < bytes.length; start += partBytesMax) {
        const part = Buffer.from(bytes.subarray(start, start + partBytesMax));
        yield isBase64 ? part.toString('base64') : part;
      }
    },
  };
}
