/** What filters ask of a server that may be stopping. */
import type { ApiRequest } from '../http/api-request.ts';

export interface StoppingServer {
  /** Whether new requests are refused by now. */
  readonly refusesNewRequests: boolean;
  /** Whether they are told when to come again, while the server still listens. */
  readonly sendsRetryAfter: boolean;
  /** Whether watches are ended in order, and new ones refused. */
  readonly endsWatches: boolean;
}

/** Probes and metrics are answered to the end. */
const exemptPaths = ['/readyz', '/livez', '/healthz', '/metrics'];

/** API servers go on too, and this one itself: what it leaves is put in order. */
export const isExempt = (request: ApiRequest): boolean =>
  request.incoming.peer.protocol === 'in-process' ||
  exemptPaths.some((path) => request.info.path.startsWith(path)) ||
  (request.header('user-agent') ?? '').startsWith('kube-apiserver/');
