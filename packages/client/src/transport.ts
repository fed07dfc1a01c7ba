/**
 * How a request leaves the client: over HTTPS, or directly to an API server in the same process. Both pass the same
 * filters and handlers; in process, objects need not be encoded.
 */
import type { Duplex } from 'node:stream';
import type { KubeObject, StepObserver, WatchEvent } from '@coxswain/apimachinery';

/** A request, ready to be sent. */
export interface TransportRequest {
  readonly method: string;
  /** Path with query, as in the request line. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: TransportBody;
  readonly signal?: AbortSignal | undefined;
  readonly observer?: StepObserver | undefined;
}

/** `object` is supported only by transports with `structured`; it must not be modified afterwards. */
export type TransportBody = Uint8Array | { readonly object: unknown };

/**
 * The head of a response, and ways to read the rest.
 * @example
 * const answer = await client.rest.raw({ verb: 'GET', path: '/metrics' });
 * const text = new TextDecoder().decode(await answer.bytes()); // or, piece by piece, answer.stream()
 */
export interface TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The response as an object, if the transport carries objects; shared and immutable. */
  readonly object?: unknown;
  /** A watch, if the transport carries objects. */
  readonly events?: AsyncIterable<readonly WatchEvent<KubeObject>[]>;
  /** The whole body. Must not be combined with `stream`. */
  bytes(): Promise<Uint8Array>;
  /** The body as it arrives. */
  stream(): AsyncIterable<Uint8Array>;
}

/** The connection after a status of 101; any other status is an ordinary response. */
export type UpgradeResponse =
  | {
      readonly status: 101;
      readonly headers: Readonly<Record<string, string | readonly string[]>>;
      readonly socket: Duplex;
      /** Data that has already arrived on the socket. */
      readonly head: Uint8Array;
    }
  | (TransportResponse & { readonly socket?: undefined });

/**
 * How requests reach a server. `connect` creates one for HTTPS; a test cluster has one that needs no network.
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
  /** Whether bodies and responses may be objects instead of bytes. */
  readonly structured: boolean;
  /** Resolves with the head of the response, whatever its status; rejects if there is no response. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /**
   * Opens a separate connection that is upgraded from HTTP, for exec, attach and port-forward. The headers specify the
   * protocol. Resolves whatever the status; rejects if there is no response. Undefined for transports without
   * connections.
   */
  upgrade?(request: TransportRequest): Promise<UpgradeResponse>;
  /** `https://127.0.0.1:6443`, or `in-process:` */
  readonly address: string;
  /** Closes the connections. */
  close(): Promise<void>;
}

/** Why a request whose connection may be dead was abandoned: the transport uses another connection from then on. */
export class ConnectionSilent extends Error {
  override readonly name = 'ConnectionSilent';

  constructor(silentMs: number) {
    super(`no data was received from the server for ${Math.round(silentMs / 1000)} s`);
  }
}
