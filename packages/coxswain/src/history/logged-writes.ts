/**
 * Who wrote an object, as far as the server remembers: `coxswain up` keeps its latest writes with their users, and a
 * test cluster all requests. Other servers only have the field managers.
 */

import type { KubeClient } from '@coxswain/client';
import type { Change } from '@coxswain/client/history/object-history.ts';
import { writesPath } from '../trace/recent-writes.ts';

export interface LoggedWrite {
  readonly atMs: number;
  readonly user: string;
  readonly group: string;
  readonly method: string;
  readonly status: number;
  readonly revision?: number;
}

interface ObjectPlace {
  readonly group: string;
  readonly resource: string;
  /** Undefined for cluster-scoped objects. */
  readonly namespace: string | undefined;
  readonly name: string;
}

/** @returns nothing from a server without a log, or if the user may not read it */
export async function loggedWrites(client: KubeClient, place: ObjectPlace): Promise<readonly LoggedWrite[]> {
  const { group, resource, namespace, name } = place;
  const ask = async (path: string, asked: string): Promise<readonly LoggedWrite[]> => {
    const query = { resource: asked, name, ...(namespace !== undefined && { namespace }) };
    const { items } = await client.rest.request<{ readonly items: readonly LoggedWrite[] }>({
      verb: 'GET',
      path,
      query,
    });
    return items.filter((write) => write.group === group && write.method !== 'GET' && write.status < 300);
  };
  try {
    return await ask(writesPath, resource).catch(() => ask('/coxswain/v1/requests', `${resource}/*`));
  } catch {
    return [];
  }
}

/** The write that made a change; a deletion has no revision in common with it, but is the last one. */
export const writeOf = (
  { kind, revision }: Change,
  writes: readonly LoggedWrite[],
): LoggedWrite | undefined =>
  writes.find((write) => write.revision === revision) ??
  (kind === 'deleted' ? writes.findLast(({ method }) => method === 'DELETE') : undefined);
