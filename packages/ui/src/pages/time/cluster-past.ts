/** What became of nodes and pods, change by change, from the oldest state that is known. */

import type { KubeObject, WatchEvent } from '@coxswain/apimachinery';
import type { MapNode } from '../overview/nodes.ts';
import type { MapPod } from '../overview/pods.ts';

export interface ClusterState {
  /** By UID. */
  readonly pods: ReadonlyMap<string, MapPod>;
  readonly nodes: ReadonlyMap<string, MapNode>;
}

export interface PastChange {
  readonly kind: 'Pod' | 'Node';
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: MapPod | MapNode;
  readonly revision: number;
  readonly timeMs: number;
}

export interface ClusterPast {
  readonly first: ClusterState;
  /** Oldest first, without those that change nothing of what is shown. */
  readonly changes: readonly PastChange[];
}

/** More are part of the first state. */
export const changesMax = 4000;

/** What a watch told, with when it was, as far as the object says so. */
export interface Told<T> {
  readonly event: WatchEvent<KubeObject>;
  readonly shown: T;
}

export function clusterPast(
  first: ClusterState,
  pods: readonly Told<MapPod>[],
  nodes: readonly Told<MapNode>[],
): ClusterPast {
  const all = [...pods.map(changeOf('Pod')), ...nodes.map(changeOf('Node'))].toSorted(
    (one, other) => one.revision - other.revision,
  );
  const known = new Map<string, string>(
    [...first.pods, ...first.nodes].map(([uid, object]) => [uid, lookOf(object)]),
  );
  let timeMs = 0;
  const changes: PastChange[] = [];
  for (const change of all) {
    // A deletion has no time of its own: it was not before what precedes it.
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

/** After so many of the changes. */
export function stateAt({ first, changes }: ClusterPast, count: number): ClusterState {
  const pods = new Map(first.pods);
  const nodes = new Map(first.nodes);
  for (const { kind, type, object } of changes.slice(0, count)) {
    const objects: Map<string, MapPod | MapNode> =
      kind === 'Pod' ? (pods as Map<string, MapPod | MapNode>) : nodes;
    const uid = object.metadata.uid ?? '';
    if (type === 'DELETED') objects.delete(uid);
    else objects.set(uid, object);
  }
  return { pods, nodes };
}

const lookOf = (object: MapPod | MapNode): string =>
  `${'node' in object ? object.node : ''} ${object.health.tone} ${object.health.state}`;

const changeOf =
  (kind: PastChange['kind']) =>
  ({ event: { type, object }, shown }: Told<MapPod | MapNode>): PastChange => ({
    kind,
    type: type as PastChange['type'],
    object: shown,
    revision: Number(object.metadata.resourceVersion),
    timeMs: timeOf(object),
  });

/** When somebody last wrote it. */
function timeOf({ metadata: { managedFields = [], creationTimestamp = '' } }: KubeObject): number {
  const times = [creationTimestamp, ...managedFields.map(({ time = '' }) => time)];
  return Math.max(0, ...times.filter((time) => time !== '').map((time) => Date.parse(time)));
}
