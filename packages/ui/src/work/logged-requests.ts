/** A test cluster logs every request, and `coxswain up` the latest writes; those to an object are read when it changes. */

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
  readonly revision?: number;
}

/** Only the newest are shown. */
const shownMax = 200;

const logPath = (): string | undefined => {
  const { isTestCluster, canRecord } = facts.value;
  if (isTestCluster) return '/coxswain/v1/requests';
  return canRecord ? '/debug/coxswain/writes' : undefined;
};

/** @param revision the object's revision: a new one means that a request was made */
export function useLoggedRequests(target: WorkTarget, revision: string | undefined): readonly Work[] {
  const [requests, setRequests] = useState<readonly Work[]>([]);
  const path = logPath();
  useEffect(() => {
    if (path === undefined) return undefined;
    const leaving = new AbortController();
    const { resource, namespace, name } = target;
    client.rest
      .request<{ readonly items: readonly LoggedRequest[] }>({
        verb: 'GET',
        path,
        query: {
          resource: facts.value.isTestCluster ? `${resource}/*` : resource,
          name,
          ...(namespace !== undefined && { namespace }),
        },
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

const workOf = ({ number, atMs, user, method, path, status, fault, revision }: LoggedRequest): Work => ({
  id: `request ${number}`,
  kind: 'request',
  by: user,
  name: `${method} ${path}`,
  startMs: atMs,
  durationMs: undefined,
  failure: fault ?? (status >= 400 ? String(status) : undefined),
  wrote: revision === undefined ? [] : [{ revision, key: '' }],
  because: [],
  partOf: [],
});
