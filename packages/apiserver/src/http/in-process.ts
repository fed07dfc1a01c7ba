/**
 * A client's transport into a server of the same process: the same filters and handlers, without sockets, and objects
 * by reference. Returned objects are shared with the cache and must not be modified.
 */
import { joinedBytes } from '@coxswain/apimachinery/joined-bytes.ts';
import { duplexPair } from 'node:stream';
import { relayed } from '@coxswain/apimachinery/relayed-signal.ts';
import type {
  Transport,
  TransportRequest,
  TransportResponse,
  UpgradeResponse,
} from '@coxswain/client/transport.ts';
import { writeAny } from '@coxswain/schema/json/write.ts';
import type { KubeObject, WatchEvent } from '@coxswain/apimachinery';
import type { UserInfo } from '../user.ts';
import type { IncomingRequest, Peer } from './api-request.ts';
import { utf8, type ApiResponse, type StreamSink } from './api-response.ts';
import { noBody, type RequestBody } from './request-body.ts';
import { streamPendingBytesMax } from './transport-limits.ts';
import type { TurnGate } from './turn-gate.ts';

export interface InProcessOptions {
  readonly serve: (incoming: IncomingRequest) => ApiResponse | Promise<ApiResponse>;
  /** The client's user; credentials in headers are then ignored. If unset, headers decide. */
  readonly user?: UserInfo;
  /** Whether responses are objects; true if unset. Otherwise the client gets bytes, as over a network. */
  readonly structured?: boolean;
  /** Spreads the requests of all clients of this process over event-loop turns. If unset, each starts at once. */
  readonly gate?: TurnGate | undefined;
}

export const inProcessTransport = (options: InProcessOptions): Transport => new InProcessTransport(options);

class InProcessTransport implements Transport {
  readonly structured: boolean;
  readonly address = 'in-process:';
  readonly #serve: InProcessOptions['serve'];
  readonly #peer: Peer;
  readonly #gate: TurnGate | undefined;

  constructor({ serve, user, structured = true, gate }: InProcessOptions) {
    this.structured = structured;
    this.#serve = serve;
    this.#gate = gate;
    this.#peer = { address: '127.0.0.1', tls: true, protocol: 'in-process', ...(user && { user }) };
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const wait = this.#gate?.pass();
    if (wait !== undefined) await wait;
    const response = await this.#serve(incomingOf(request, this.#peer, this.structured));
    return responseOf(response, relayed(request.signal));
  }

  async upgrade(request: TransportRequest): Promise<UpgradeResponse> {
    const response = await this.#serve(incomingOf(request, this.#peer, this.structured));
    if (response.body.kind !== 'upgrade')
      return responseOf(response, relayed(request.signal)) as UpgradeResponse & {
        readonly socket?: undefined;
      };
    const [socket, served] = duplexPair();
    response.body.accept(served, new Uint8Array(0));
    return { status: 101, headers: response.headers, socket, head: new Uint8Array(0) };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function incomingOf(request: TransportRequest, peer: Peer, structured: boolean): IncomingRequest {
  const mark = request.path.indexOf('?');
  let abort: AbortController | undefined;
  return {
    method: request.method,
    path: mark < 0 ? request.path : request.path.slice(0, mark),
    query: mark < 0 ? '' : request.path.slice(mark + 1),
    headers: request.headers,
    body: bodyOf(request),
    peer,
    structured,
    observer: request.observer,
    signal: () => relayed(request.signal) ?? (abort ??= new AbortController()).signal,
  };
}

function bodyOf({ body }: TransportRequest): RequestBody {
  if (body === undefined) return noBody;
  return body instanceof Uint8Array
    ? { kind: 'bytes', bytes: body }
    : { kind: 'object', object: body.object };
}

function responseOf(response: ApiResponse, signal: AbortSignal | undefined): TransportResponse {
  const { body } = response;
  return {
    status: response.status,
    headers: response.headers,
    ...(body.kind === 'object' && { object: body.object }),
    ...(body.kind === 'events' && { events: body.events }),
    bytes: () => responseBytes(response, signal),
    stream: () => bodyChunks(response, signal),
  };
}

/**
 * Reads a finite response as bytes. Of one longer than `bytesMax`, reads only the beginning.
 * @throws Error when it is cut off
 */
export async function responseBytes(
  response: ApiResponse,
  signal: AbortSignal | undefined,
  bytesMax = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytesTotal = 0;
  for await (const chunk of bodyChunks(response, signal)) {
    chunks.push(chunk);
    bytesTotal += chunk.length;
    if (bytesTotal >= bytesMax) break;
  }
  return wholeOf(chunks).subarray(0, bytesMax);
}

/** A response's body as the bytes that a client gets. @throws Error when it is cut off */
export async function* bodyChunks(
  { body }: ApiResponse,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  switch (body.kind) {
    case 'bytes':
      yield body.bytes;
      return;
    case 'chunks':
      yield* body.chunks;
      return;
    case 'object':
      yield utf8(writeAny(body.object));
      return;
    case 'events':
      for await (const batch of body.events) for (const event of batch) yield eventLine(event);
      return;
    case 'stream':
      yield* pulled(body.open, signal);
      return;
    case 'none':
      return;
    case 'upgrade':
      throw new Error('a connection cannot be upgraded in process');
  }
}

const eventLine = (event: WatchEvent<KubeObject>): Uint8Array => utf8(`${writeAny(event)}\n`);

/** Turns a push stream into one that is pulled. */
async function* pulled(
  open: (sink: StreamSink) => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let bytesPending = 0;
  let ended = false;
  let isBroken = false;
  let wake: (() => void) | undefined;
  let closed: (() => void) | undefined;
  let taken: (() => void) | undefined;
  const awaken = () => {
    wake?.();
    wake = undefined;
  };
  const stop = () => {
    ended = true;
    closed?.();
    taken?.();
    awaken();
  };
  open({
    get bytesPending() {
      return bytesPending;
    },
    write(bytes) {
      waiting.push(bytes);
      bytesPending += bytes.length;
      awaken();
    },
    end() {
      ended = true;
      awaken();
    },
    abort() {
      ended = isBroken = true;
      awaken();
    },
    drained() {
      if (ended || bytesPending < streamPendingBytesMax) return undefined;
      return new Promise((resolve) => (taken = resolve));
    },
    onClose: (listener) => (closed = listener),
  });
  // The client may have left while the response was on its way.
  if (signal?.aborted) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      const ready = waiting;
      waiting = [];
      bytesPending = 0;
      taken?.();
      yield* ready;
      if (waiting.length > 0) continue;
      if (isBroken) throw new Error('unexpected EOF');
      if (ended) return;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    ended = true;
    closed?.();
    taken?.();
  }
}

/** The chunk itself where there is only one. */
export const wholeOf = (chunks: readonly Uint8Array[]): Uint8Array =>
  chunks.length === 1 ? chunks[0]! : joinedBytes(chunks);
