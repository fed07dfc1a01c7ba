/** Requests that are answered by someone else: a kubelet, a pod, what stands behind a service. */
import type { ApiRequest, ApiResponse, UserInfo } from '@coxswain/apiserver';
import type { SpdyAnswer } from '@coxswain/streaming';

export interface ForwardTarget {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  /** The scheme's own when empty. */
  readonly port: string;
  /** Percent-encoded, without query. */
  readonly path: string;
  /** The query as it came when absent. */
  readonly query?: string;
  /** Whether it is a kubelet, to which the server shows its client certificate. */
  readonly isKubelet?: boolean;
  /** Exec, attach and port forwarding make no sense over a connection that stays HTTP. */
  readonly upgradeRequired?: boolean;
  /** Where the client asks for a WebSocket, it is this server that answers with one: what is forwarded is plain. */
  readonly staysHttp?: boolean;
  /** The path under which the client sees the target's root: links and redirects are rewritten to it. */
  readonly pathPrefix?: string;
  /** Whether it is an extension server: it is told who asks, and its certificate may be checked. */
  readonly extension?: ExtensionServer;
}

export interface ExtensionServer {
  /** The name that its certificate must have. */
  readonly serverName: string;
  /** PEM; the machine's own authorities when absent. */
  readonly authorities?: string;
  readonly takesAnyCertificate: boolean;
  /** Told in `X-Remote-*` headers. */
  readonly user: UserInfo;
}

/** What the message of a 503 begins with; what follows is the network's failure alone. */
export const unreachable = 'error trying to reach service: ';

export interface Forwarder {
  /**
   * @throws StatusError 503 when nothing can be reached there, 500 when an upgraded connection cannot be
   * opened, 400 where an upgrade is required and not asked for
   */
  forward(request: ApiRequest, target: ForwardTarget): Promise<ApiResponse>;
  /**
   * What the client asks by a WebSocket, asked over SPDY.
   * @param protocols best first
   * @throws StatusError 500 when the target can't be reached, or answers what can't be read
   */
  askForSpdy(request: ApiRequest, target: ForwardTarget, protocols: readonly string[]): Promise<SpdyAnswer>;
}

export interface SchemeNamePort {
  /** Empty when the client said none. */
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
