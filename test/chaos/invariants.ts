/** What must hold at any moment, whatever has gone wrong. */

import type { KubeObject } from '@coxswain/apimachinery';
import type { TestCluster } from '../../packages/coxswain/src/testing/index.ts';
import { maxSurge, quotaPods } from './workloads.ts';

interface PodObject extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: { readonly phase?: string };
}

interface ReplicaSetObject extends KubeObject {
  readonly spec?: { readonly replicas?: number };
}

interface Seen {
  readonly pods: readonly PodObject[];
  readonly replicaSets: readonly ReplicaSetObject[];
  readonly owners: ReadonlySet<string>;
  readonly desired: number;
}

type Invariant = (seen: Seen) => readonly string[];

const hasEnded = ({ status }: PodObject): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed';

const invariants: readonly Invariant[] = [
  /** The new replica set is never raised to more, all together, than the surge allows. */
  function surge({ replicaSets, desired }) {
    const sum = replicaSets.reduce((total, { spec }) => total + (spec?.replicas ?? 0), 0);
    const old = replicaSets.reduce((most, { metadata }) => {
      const reported = Number(metadata.annotations?.['deployment.kubernetes.io/max-replicas'] ?? 0);
      return Math.max(most, reported);
    }, desired + maxSurge);
    return sum > old ? [`${sum} replicas are asked for, more than ${old}`] : [];
  },
  /** One pod for one index, of those that have not ended. */
  function indices({ pods }) {
    const living = pods.filter((pod) => !hasEnded(pod) && pod.metadata.deletionTimestamp === undefined);
    const indices = living
      .map(({ metadata }) => metadata.annotations?.['batch.kubernetes.io/job-completion-index'])
      .filter((index) => index !== undefined);
    return indices.length === new Set(indices).size ? [] : [`indices run twice: ${indices.join(' ')}`];
  },
  function quota({ pods }) {
    const counted = pods.filter((pod) => !hasEnded(pod)).length;
    return counted > quotaPods ? [`${counted} pods, and the quota is ${quotaPods}`] : [];
  },
];

export async function brokenInvariants(cluster: TestCluster): Promise<readonly string[]> {
  // Whoever checks is not to be disturbed.
  const observer = cluster.as({ name: 'system:apiserver', groups: ['system:masters'] }).client;
  const list = async <T extends KubeObject>(version: string, resource: string) =>
    (await observer.resource<T>(version, resource).namespace('default').list()).items;
  const [pods, replicaSets, deployments, sets, jobs] = await Promise.all([
    list<PodObject>('v1', 'pods'),
    list<ReplicaSetObject>('apps/v1', 'replicasets'),
    list<ReplicaSetObject>('apps/v1', 'deployments'),
    list('apps/v1', 'statefulsets'),
    list('batch/v1', 'jobs'),
  ]);
  const owners = new Set(
    [...replicaSets, ...deployments, ...sets, ...jobs].map(({ metadata }) => metadata.uid ?? ''),
  );
  const desired = deployments[0]?.spec?.replicas ?? 0;
  const seen: Seen = { pods, replicaSets, owners, desired };
  return invariants.flatMap((invariant) => invariant(seen));
}

/** Pods whose owner is gone; that may take a while, so it is asked at the end. */
export async function orphans(cluster: TestCluster): Promise<readonly string[]> {
  const { items: pods } = await cluster.client.resource('v1', 'pods').namespace('default').list();
  const { items: sets } = await cluster.client.resource('apps/v1', 'replicasets').namespace('default').list();
  const known = new Set(sets.map(({ metadata }) => metadata.uid));
  return pods
    .filter(({ metadata }) =>
      metadata.ownerReferences?.some(({ kind, uid }) => kind === 'ReplicaSet' && !known.has(uid)),
    )
    .map(({ metadata }) => metadata.name ?? '');
}
