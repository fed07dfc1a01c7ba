/**
 * How a request leaves the client: over HTTPS, or straight into an API server of the same process. Both
 * pass the same filters and handlers; in-process, objects need not be encoded on the way.
 */
import type { Duplex } from 'node:stream';
import type { KubeObject, StepObserver, WatchEvent } from '@coxswain/apimachinery';

/** A request, ready to be sent. */
export interface TransportRequest {
  readonly method: string;
  /** Path with query, as on the request line. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: TransportBody;
  readonly signal?: AbortSignal | undefined;
  readonly observer?: StepObserver | undefined;
}

/** `object` is understood by transports with `structured` only; it must not be modified afterwards. */
export type TransportBody = Uint8Array | { readonly object: unknown };

/**
 * The head of an answer, and ways to read the rest.
 * @example
 * const answer = await client.rest.raw({ verb: 'GET', path: '/metrics' });
 * const text = new TextDecoder().decode(await answer.bytes()); // or, piece by piece, answer.stream()
 */
export interface TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The answer as an object where the transport carries objects; shared and immutable. */
  readonly object?: unknown;
  /** A watch where the transport carries objects. */
  readonly events?: AsyncIterable<readonly WatchEvent<KubeObject>[]>;
  /** The whole body. Not to be called together with `stream`. */
  bytes(): Promise<Uint8Array>;
  /** The body as it comes. */
  stream(): AsyncIterable<Uint8Array>;
}

/** The connection after 101; any other status is an ordinary answer. */
export type UpgradeResponse =
  | {
      readonly status: 101;
      readonly headers: Readonly<Record<string, string | readonly string[]>>;
      readonly socket: Duplex;
      /** What came on the socket already. */
      readonly head: Uint8Array;
    }
  | (TransportResponse & { readonly socket?: undefined });

/**
 * How requests reach a server. `connect` makes one for HTTPS; a test cluster has one that needs no network.
 * @example
 * const counted: Transport = {
 *   ...transport,
 *   address: transport.address,
 *   structured: transport.structured,
 *   send(request) {
 *     console.log(request.method, request.path);
 *     return transport.send(request);
 *   },
 *   upgrade: (request) => transport.upgrade!(request),
 *   close: () => transport.close(),
 * };
 */
export interface Transport {
  /** Whether bodies and answers may be objects instead of bytes. */
  readonly structured: boolean;
  /** Resolves with the head of the answer, whatever its status; rejects when no answer came. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /**
   * A connection of its own that stops being HTTP: exec, attach and port-forward. The headers say what it is to
   * become. Resolves whatever the status; rejects when no answer came. Absent where there are no connections.
   */
  upgrade?(request: TransportRequest): Promise<UpgradeResponse>;
  /** `https://127.0.0.1:6443`, or `in-process:` */
  readonly address: string;
  /** Closes the connections. */
  close(): Promise<void>;
}

/** Why a request was given up whose connection may be dead: the transport uses another one from then on. */
export class ConnectionSilent extends Error {
  override readonly name = 'ConnectionSilent';

  constructor(silentMs: number) {
    super(`nothing was heard of the server for ${Math.round(silentMs / 1000)} s`);
  }
}
