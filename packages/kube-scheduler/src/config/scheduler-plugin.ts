/** Plugins of users: functions of objects of the API, as out-of-tree plugins are for the scheduler framework (KEP-624). */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import type { KubeSchedulerConfiguration } from './configuration.ts';
import type { PluginFactory } from './default-plugins.ts';
import { nodeScoreMax } from '../plugins/normalize-score.ts';
import { failure, fits, unschedulable, type Status } from '../status.ts';
import { retryOn } from '../framework/cluster-event.ts';
import { plugin } from '../framework/plugin.ts';

/** A node on which a pod may be placed, with the pods that are on it or were just placed there. */
export interface CandidateNode {
  readonly name: string;
  readonly node: Node;
  readonly pods: readonly Pod[];
}

/**
 * Functions for extension points of the scheduler; each is optional. They are called for every pod and node, and must
 * return at once. If one throws, the attempt fails and is repeated after a back-off. A refused pod is retried when nodes or
 * pods are added or change.
 */
export interface SchedulerPlugin {
  readonly name: string;
  /** How much its scores count. Defaults to 1. */
  readonly weight?: number;
  /** Returns why the pod may not be scheduled yet, or undefined. */
  preEnqueue?(pod: Pod): string | undefined;
  /** Returns why the pod does not fit, or undefined. */
  filter?(pod: Pod, candidate: CandidateNode): string | undefined;
  /** Returns a number from 0 to 100; higher is better. */
  score?(pod: Pod, candidate: CandidateNode): number;
}

/**
 * A factory for profiles.
 * @throws TypeError for a plugin without a name or without functions
 */
export function pluginFactory(given: SchedulerPlugin): PluginFactory {
  const { name } = given;
  if (typeof name !== 'string' || name === '') throw new TypeError('a scheduler plugin needs a name');
  for (const point of points)
    if (given[point] !== undefined && typeof given[point] !== 'function')
      throw new TypeError(`scheduler plugin "${name}": ${point} must be a function`);
  if (points.every((point) => given[point] === undefined))
    throw new TypeError(`scheduler plugin "${name}" needs at least one of ${points.join(', ')}`);
  const { preEnqueue, filter, score } = given;
  const made = plugin({
    name,
    retryWhen: anyChange,
    ...(preEnqueue && { preEnqueue: ({ pod }) => statusOf(() => given.preEnqueue!(pod)) }),
    ...(filter && { filter: ({ pod }, node) => statusOf(() => given.filter!(pod, candidate(node))) }),
    ...(score && { score: ({ pod }, node) => checkedScore(name, given.score!(pod, candidate(node))) }),
  });
  return { name, make: () => made };
}

/** The configuration with these plugins in every profile, except for those that it names itself. */
export function withPlugins(
  configuration: KubeSchedulerConfiguration = {},
  plugins: readonly SchedulerPlugin[],
): KubeSchedulerConfiguration {
  const given = configuration.profiles?.length ? configuration.profiles : [{}];
  const profiles = given.map((profile) => {
    const sets = Object.values(profile.plugins ?? {});
    const named = new Set(
      sets.flatMap((set) => [...(set?.enabled ?? []), ...(set?.disabled ?? [])]).map(({ name }) => name),
    );
    const { multiPoint } = profile.plugins ?? {};
    const added = plugins
      .filter(({ name }) => !named.has(name))
      .map(({ name, weight }) => (weight === undefined ? { name } : { name, weight }));
    const enabled = [...(multiPoint?.enabled ?? []), ...added];
    return { ...profile, plugins: { ...profile.plugins, multiPoint: { ...multiPoint, enabled } } };
  });
  return { ...configuration, profiles };
}

const points = ['preEnqueue', 'filter', 'score'] as const;

const anyChange = [
  retryOn('Node', [
    'add',
    'allocatable',
    'labels',
    'taints',
    'conditions',
    'annotations',
    'declaredFeatures',
  ]),
  retryOn('Pod', ['add', 'delete', 'labels', 'scaleDown', 'tolerations']),
];

const candidate = (info: NodeInfo): CandidateNode => ({
  name: info.name,
  node: info.node,
  get pods() {
    return [...info.pods.values()].map(({ pod }) => pod);
  },
});

function statusOf(reasonOf: () => string | undefined): Status {
  try {
    const reason: unknown = reasonOf();
    if (reason === undefined) return fits;
    return typeof reason === 'string' ? unschedulable(reason) : failure('must return a string or undefined');
  } catch (error) {
    return failure(messageOf(error));
  }
}

/** @throws Error with upstream's message */
function checkedScore(name: string, score: number): number {
  if (score >= 0 && score <= nodeScoreMax) return score;
  throw new Error(
    `plugin "${name}" returns an invalid score ${score}, it should in the range of [0, ${nodeScoreMax}] after normalizing`,
  );
}
