/** The shutdown state that filters check. */
import type { ApiRequest } from '../http/api-request.ts';

export interface StoppingServer {
  /** Whether new requests are refused. */
  readonly refusesNewRequests: boolean;
  /** Whether refusals include Retry-After, while the server still listens. */
  readonly sendsRetryAfter: boolean;
  /** Whether watches are ended gracefully and new ones refused. */
  readonly endsWatches: boolean;
}

/** Probes and metrics are answered until the end. */
const exemptPaths = ['/readyz', '/livez', '/healthz', '/metrics'];

/** Other API servers are exempt, and so is this server itself, which still has to clean up. */
export const isExempt = (request: ApiRequest): boolean =>
  request.incoming.peer.protocol === 'in-process' ||
  exemptPaths.some((path) => request.info.path.startsWith(path)) ||
  (request.header('user-agent') ?? '').startsWith('kube-apiserver/');
