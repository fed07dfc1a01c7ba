/** Work in the cluster: requests, reconciles, and scheduling attempts, from recordings and test clusters. */

import { requestPath } from '@coxswain/client';
import type { Recording, Undertaking } from '@coxswain/trace/recording.ts';

export interface Work {
  readonly id: string;
  readonly kind: 'request' | 'reconcile' | 'schedule' | 'sync';
  /** The user of a request; otherwise the component that does the work. */
  readonly by: string;
  /** `PATCH /api/v1/…`, or `default/web`. */
  readonly name: string;
  readonly startMs: number;
  readonly durationMs: number | undefined;
  /** The status of a request that failed, or the message of the failure. */
  readonly failure: string | undefined;
  /** The revisions that it wrote, by storage key. */
  readonly wrote: readonly Written[];
  /** Keys of the writes that caused it: `deployments/default/web`. */
  readonly because: readonly string[];
  /** Ids of the work that this is a part of. */
  readonly partOf: readonly string[];
}

interface Written {
  readonly revision: number;
  readonly key: string;
}

const kinds: ReadonlySet<string> = new Set([
  'request',
  'reconcile',
  'schedule',
  'sync',
] satisfies Work['kind'][]);

export function workOfRecording({ startTime, undertakings }: Recording): readonly Work[] {
  const beginMs = Date.parse(startTime);
  return undertakings
    .filter(({ kind }) => kinds.has(kind))
    .map((undertaking) => {
      const { id, component, name, startNs, durationNs, links = [] } = undertaking;
      return {
        id,
        kind: undertaking.kind as Work['kind'],
        by: String(undertaking.values?.['user'] ?? component),
        name,
        startMs: beginMs + startNs / 1e6,
        durationMs: durationNs === undefined ? undefined : durationNs / 1e6,
        failure: failureOf(undertaking),
        wrote: (undertaking.values?.['writes'] ?? []) as readonly Written[],
        because: links.flatMap(({ by, key }) => (by === 'revision' && key !== undefined ? [key] : [])),
        partOf: links.flatMap(({ by, from }) => (by === 'call' ? [from] : [])),
      };
    });
}

function failureOf({ failure, values }: Undertaking): string | undefined {
  const status = Number(values?.['status'] ?? 0);
  return failure ?? (status >= 400 ? String(status) : undefined);
}

/** The object whose work is sought: `deployments`, `default`, `web`. */
export interface WorkTarget {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

/** The work on an object: what wrote it, and what was done because of it. */
export function workOn(target: WorkTarget, all: readonly Work[]): readonly Work[] {
  const { resource, namespace, name } = target;
  const place = namespace === undefined ? name : `${namespace}/${name}`;
  const key = `${resource}/${place}`;
  const path = requestPath('GET', {
    groupVersion: target,
    resource,
    name,
    ...(namespace !== undefined && { namespace }),
  });
  const requests = new Set(
    all.filter((work) => isWrite(work) && (isTo(path, work.name) || work.wrote.some(writes(key)))),
  );
  const callers = new Set([...requests].flatMap(({ partOf }) => partOf));
  const isAbout = (work: Work): boolean =>
    work.kind !== 'request' && work.name === place && (work.because.includes(key) || callers.has(work.id));
  // A component that works on the object at some time is assumed to do so at other times: the name alone might belong
  // to another kind.
  const concerned = new Set(all.filter(isAbout).map(({ by }) => by));
  return all.filter(
    (work) =>
      requests.has(work) || (work.kind !== 'request' && work.name === place && concerned.has(work.by)),
  );
}

const writes =
  (key: string) =>
  ({ key: written }: Written): boolean =>
    written === key || written.endsWith(`/${key}`);

/** Reads are numerous and change nothing. */
const isWrite = ({ kind, name }: Work): boolean => kind === 'request' && !name.startsWith('GET ');

/** Reports whether a request concerns the object or a subresource of it: `PUT /api/v1/…/web/status?fieldManager=x`. */
function isTo(path: string, name: string): boolean {
  const asked = name.slice(name.indexOf(' ') + 1).split('?', 1)[0]!;
  return asked === path || asked.startsWith(`${path}/`);
}
