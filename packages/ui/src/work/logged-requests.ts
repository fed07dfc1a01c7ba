/** A test cluster logs every request; those to an object are read when it changes. */

import { useEffect, useState } from 'preact/hooks';
import { client, facts } from '../cluster/cluster.ts';
import type { Work, WorkTarget } from './work.ts';

interface LoggedRequest {
  readonly number: number;
  readonly atMs: number;
  readonly user: string;
  readonly group: string;
  readonly namespace: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly fault?: string;
}

/** Only the newest are shown. */
const shownMax = 200;

/** @param revision the object's revision: a new one means that a request was made */
export function useLoggedRequests(target: WorkTarget, revision: string | undefined): readonly Work[] {
  const [requests, setRequests] = useState<readonly Work[]>([]);
  const { isTestCluster } = facts.value;
  useEffect(() => {
    if (!isTestCluster) return undefined;
    const leaving = new AbortController();
    const { resource, namespace, name } = target;
    client.rest
      .request<{ readonly items: readonly LoggedRequest[] }>({
        verb: 'GET',
        path: '/coxswain/v1/requests',
        query: { resource: `${resource}/*`, name, ...(namespace !== undefined && { namespace }) },
        signal: leaving.signal,
      })
      .then(
        ({ items }) =>
          setRequests(
            items
              .filter(({ group, method }) => group === target.group && method !== 'GET')
              .slice(-shownMax)
              .map(workOf),
          ),
        // On failure, the requests are missing from the view.
        () => undefined,
      );
    return () => leaving.abort();
  }, [revision]);
  return requests;
}

const workOf = ({ number, atMs, user, method, path, status, fault }: LoggedRequest): Work => ({
  id: `request ${number}`,
  kind: 'request',
  by: user,
  name: `${method} ${path}`,
  startMs: atMs,
  durationMs: undefined,
  failure: fault ?? (status >= 400 ? String(status) : undefined),
  wrote: [],
  because: [],
  partOf: [],
});
