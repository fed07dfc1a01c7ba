/** Scheduler plugins as functions, as `coxswain/testing` publishes them. */

import type { KubeObject } from './testing-client.d.ts';

/** A node on which a pod may be placed, with the pods that are on it or were just placed there. */
export interface CandidateNode {
  readonly name: string;
  readonly node: KubeObject;
  readonly pods: readonly KubeObject[];
}

/**
 * A plugin of the scheduler: functions for its extension points, each optional. They are called for every pod and node, and
 * must return at once. If one throws, the attempt fails and is repeated after a back-off. A refused pod is retried when
 * nodes or pods are added or change. Parameters may have the types of `coxswain/api`. Not for `createClusterInWorker`.
 * @example
 * const spreadBuilds: SchedulerPlugin = {
 *   name: 'SpreadBuilds',
 *   preEnqueue: ({ metadata }) => (metadata.labels?.approved === 'yes' ? undefined : 'not approved yet'),
 *   filter: (pod, { pods }) => (pods.length < 2 ? undefined : 'node(s) already run two pods'),
 *   score: (pod, { pods }) => 100 - 50 * pods.length,
 * };
 */
export interface SchedulerPlugin {
  readonly name: string;
  /** How much its scores count. Defaults to 1. */
  readonly weight?: number;
  /** Returns why the pod may not be scheduled yet, or undefined. */
  preEnqueue?(pod: KubeObject): string | undefined;
  /** Returns why the pod does not fit, or undefined. */
  filter?(pod: KubeObject, candidate: CandidateNode): string | undefined;
  /** Returns a number from 0 to 100; higher is better. */
  score?(pod: KubeObject, candidate: CandidateNode): number;
}
