/** A change on its way into storage: its time is told apart in the audit log. */
import type { ApiRequest } from '../http/api-request.ts';
import { timed } from '../audit/request-latencies.ts';

export function storing<T>(request: ApiRequest, store: () => Promise<T>): Promise<T> {
  return timed(request.audit, 'etcd', store);
}

/** What is decided while storage waits for it isn't storage's time: admission may take long. */
export function decidedBeside<C, T>(request: ApiRequest, decide: (current: C) => T): (current: C) => T {
  const { audit } = request;
  return audit === undefined
    ? decide
    : (current) => audit.latencies.during('etcd', () => decide(current), -1);
}
