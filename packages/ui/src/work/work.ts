/** What was undertaken in the cluster: requests, reconciles, scheduling attempts, as recordings and test clusters tell it. */

import { requestPath } from '@coxswain/client';
import type { Recording, Undertaking } from '@coxswain/trace/recording.ts';

export interface Work {
  readonly id: string;
  readonly kind: 'request' | 'reconcile' | 'schedule' | 'sync';
  /** The user of a request; who else does something, by its component. */
  readonly by: string;
  /** `PATCH /api/v1/…`, or `default/web`. */
  readonly name: string;
  readonly startMs: number;
  readonly durationMs: number | undefined;
  /** The status of a request that did not succeed, or the message of what failed. */
  readonly failure: string | undefined;
  /** Of revisions, by the keys of storage. */
  readonly wrote: readonly Written[];
  /** Keys of what was seen before: `deployments/default/web`. */
  readonly because: readonly string[];
  /** Ids of work of which this is a part. */
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
        by: component,
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

/** Whose work is sought: `deployments`, `default`, `web`. */
export interface WorkTarget {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

/** What was done to an object, and what was done because of it. */
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
  // Those that do something about it at other times mean it, too: a name alone may be that of another kind.
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

/** Reads are many, and change nothing. */
const isWrite = ({ kind, name }: Work): boolean => kind === 'request' && !name.startsWith('GET ');

/** Of the object or of a part of it: `PUT /api/v1/…/web/status?fieldManager=x`. */
function isTo(path: string, name: string): boolean {
  const asked = name.slice(name.indexOf(' ') + 1).split('?', 1)[0]!;
  return asked === path || asked.startsWith(`${path}/`);
}
