/** The history of nodes, pods and any other kind, change by change, from the oldest known state. */

import type { KubeObject, WatchEvent } from '@coxswain/apimachinery';
import type { Health } from '../../health/health.ts';
import type { MapNode } from '../overview/nodes.ts';
import type { MapPod } from '../overview/pods.ts';

export interface ClusterState {
  /** By UID. */
  readonly pods: ReadonlyMap<string, MapPod>;
  readonly nodes: ReadonlyMap<string, MapNode>;
}

/** The retained data of an object of any other kind. */
export interface PastObject extends KubeObject {
  readonly health: Health;
}

export interface PastChange {
  readonly kind: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: MapPod | MapNode | PastObject;
  readonly revision: number;
  readonly timeMs: number;
}

export interface ClusterPast {
  readonly first: ClusterState;
  /** Oldest first, without changes that do not affect what is displayed. */
  readonly changes: readonly PastChange[];
}

/** Earlier changes are merged into the first state. */
export const changesMax = 4000;

/** A watch event, with its time as far as the object records it. */
export interface Reported<T> {
  readonly event: WatchEvent<KubeObject>;
  readonly shown: T;
}

export interface ReportedOf {
  readonly pods: readonly Reported<MapPod>[];
  readonly nodes: readonly Reported<MapNode>[];
  readonly others?: { readonly kind: string; readonly reported: readonly Reported<PastObject>[] };
}

export function clusterPast(first: ClusterState, { pods, nodes, others }: ReportedOf): ClusterPast {
  const all = [
    ...pods.map(changeOf('Pod')),
    ...nodes.map(changeOf('Node')),
    ...(others === undefined ? [] : others.reported.map(changeOf(others.kind))),
  ].toSorted((one, other) => one.revision - other.revision);
  const known = new Map<string, string>(
    [...first.pods, ...first.nodes].map(([uid, object]) => [uid, lookOf(object)]),
  );
  let timeMs = 0;
  const changes: PastChange[] = [];
  for (const change of all) {
    // A deletion has no time of its own. It cannot be earlier than the preceding change.
    timeMs = Math.max(timeMs, change.timeMs);
    const uid = change.object.metadata.uid ?? '';
    const look = change.type === 'DELETED' ? 'gone' : lookOf(change.object);
    if (known.get(uid) === look) continue;
    known.set(uid, look);
    changes.push({ ...change, timeMs });
  }
  const cut = Math.max(0, changes.length - changesMax);
  return { first: stateAt({ first, changes }, cut), changes: changes.slice(cut) };
}

/** The state after the first `count` changes. */
export function stateAt({ first, changes }: ClusterPast, count: number): ClusterState {
  const pods = new Map(first.pods);
  const nodes = new Map(first.nodes);
  for (const { type, object } of changes.slice(0, count)) {
    const uid = object.metadata.uid ?? '';
    if (isPod(object)) put(pods, type, uid, object);
    else if (isNode(object)) put(nodes, type, uid, object);
  }
  return { pods, nodes };
}

function put<T>(objects: Map<string, T>, type: PastChange['type'], uid: string, object: T): void {
  if (type === 'DELETED') objects.delete(uid);
  else objects.set(uid, object);
}

/** The resource version after the first `count` changes. */
export const revisionAt = ({ changes }: ClusterPast, count: number): number =>
  changes[count - 1]?.revision ?? Math.max(1, (changes[0]?.revision ?? 2) - 1);

/** The resource version just before the next change, which includes writes to kinds that are not displayed. */
export const revisionUntil = ({ changes }: ClusterPast, count: number, newest: number): number => {
  const next = changes[count];
  return next === undefined ? newest : Math.max(1, next.revision - 1);
};

/** The number of changes up to the end of this second, since writers record no finer time. */
export const countAt = ({ changes }: ClusterPast, timeMs: number): number =>
  changes.filter((change) => secondOf(change.timeMs) <= secondOf(timeMs)).length;

const secondOf = (timeMs: number): number => Math.floor(timeMs / 1000);

type AnyPast = PastChange['object'];

export const isPod = (object: AnyPast): object is MapPod => 'node' in object;
const isNode = (object: AnyPast): object is MapNode => 'podsMax' in object;

/** For other kinds, every change counts. */
const lookOf = (object: AnyPast): string =>
  isPod(object) || isNode(object)
    ? `${isPod(object) ? object.node : ''} ${object.health.tone} ${object.health.state}`
    : `${object.metadata.resourceVersion}`;

const changeOf =
  (kind: PastChange['kind']) =>
  ({ event: { type, object }, shown }: Reported<AnyPast>): PastChange => ({
    kind,
    type: type as PastChange['type'],
    object: shown,
    revision: Number(object.metadata.resourceVersion),
    timeMs: timeOf(object),
  });

/** The time of the last write. */
function timeOf({ metadata: { managedFields = [], creationTimestamp = '' } }: KubeObject): number {
  const times = [creationTimestamp, ...managedFields.map(({ time = '' }) => time)];
  return Math.max(0, ...times.filter((time) => time !== '').map((time) => Date.parse(time)));
}
