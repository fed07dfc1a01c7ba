/** Forwards requests to a kubelet, a pod, or a service's backend. */
import type { ApiRequest, ApiResponse, UserInfo } from '@coxswain/apiserver';
import type { SpdyResponse } from '@coxswain/streaming';

export interface ForwardTarget {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  /** Empty for the scheme's default. */
  readonly port: string;
  /** Percent-encoded, without query. */
  readonly path: string;
  /** The original query if unset. */
  readonly query?: string;
  /** Whether it is a kubelet, which gets the server's client certificate. */
  readonly isKubelet?: boolean;
  /** Whether the request must be an upgrade, as for exec, attach and port forwarding. */
  readonly upgradeRequired?: boolean;
  /** If the client requests a WebSocket, this server provides it and forwards plain HTTP. */
  readonly staysHttp?: boolean;
  /** The path of the target's root for the client: links and redirects are rewritten to it. */
  readonly pathPrefix?: string;
  /** Set for an extension server: it is told the user, and its certificate may be verified. */
  readonly extension?: ExtensionServer;
}

export interface ExtensionServer {
  /** The name that its certificate must be for. */
  readonly serverName: string;
  /** PEM; the system's authorities if unset. */
  readonly authorities?: string;
  readonly takesAnyCertificate: boolean;
  /** Sent in `X-Remote-*` headers. */
  readonly user: UserInfo;
}

/** The start of a 503's message, followed by the network error. */
export const unreachable = 'error trying to reach service: ';

export interface Forwarder {
  /**
   * @throws StatusError 503 when the target is unreachable, 500 when an upgraded connection cannot be opened, 400 when
   * an upgrade is required but not requested
   */
  forward(request: ApiRequest, target: ForwardTarget): Promise<ApiResponse>;
  /**
   * Forwards a client's WebSocket request as SPDY.
   * @param protocols in order of preference
   * @throws StatusError 500 when the target is unreachable, or its response unreadable
   */
  askForSpdy(request: ApiRequest, target: ForwardTarget, protocols: readonly string[]): Promise<SpdyResponse>;
}

export interface SchemeNamePort {
  /** Empty when not specified. */
  readonly scheme: '' | 'http' | 'https';
  readonly name: string;
  readonly port: string;
}

/** `name`, `name:port`, `https:name:port`, `https:name:`; undefined for anything else. */
export function splitSchemeNamePort(id: string): SchemeNamePort | undefined {
  const parts = id.split(':');
  const [scheme, name, port] =
    parts.length === 1 ? ['', id, ''] : parts.length === 2 ? ['', parts[0], parts[1]] : parts;
  const isKnown = scheme === '' || scheme === 'http' || scheme === 'https';
  if (parts.length > 3 || !isKnown || !name) return undefined;
  return { scheme, name, port: port! };
}
