/** Runs a write to storage, whose duration the audit log reports separately. */
import type { ApiRequest } from '../http/api-request.ts';
import { timed } from '../audit/request-latencies.ts';

export function storing<T>(request: ApiRequest, store: () => Promise<T>): Promise<T> {
  return timed(request.audit, 'etcd', store);
}

/** The time of a decision that storage waits for is not storage's own: admission may take long. */
export function decidedBeside<C, T>(request: ApiRequest, decide: (current: C) => T): (current: C) => T {
  const { audit } = request;
  return audit === undefined
    ? decide
    : (current) => audit.latencies.during('etcd', () => decide(current), -1);
}
