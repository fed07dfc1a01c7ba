/** Explains a pod's placement: evaluates every plugin on every node without writing anything. */
import {
  isStatusError,
  parseApiVersion,
  systemClock,
  systemRandom,
  type KubeObject,
} from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KubeClient } from '@coxswain/client';
import type { NodeInfo } from './cache/node-info.ts';
import { podInfo, type PodInfo } from './cache/pod-info.ts';
import { completeConfiguration } from './config/load-configuration.ts';
import { completeProfiles } from './config/profiles.ts';
import type { KubeSchedulerConfiguration } from './config/configuration.ts';
import { configuredExtenders } from './extenders/configured-extenders.ts';
import type { Extender } from './framework/extender.ts';
import { ExtenderList } from './framework/extender-list.ts';
import { Attempt, type ScorePart } from './attempt.ts';
import { isRejection, type Rejection } from './status.ts';
import { followedResources, ObjectTables } from './object-tables.ts';
import { refusalFacts, type RefusalFact } from './refusal-facts.ts';
import { refusingApi } from './refusing-api.ts';
import { Scheduler } from './scheduler.ts';

export type { RefusalFact } from './refusal-facts.ts';

export interface Refusal {
  /** The plugin's name, or the address of an extender. */
  readonly plugin: string;
  readonly reasons: readonly string[];
  /** What the reasons do not name: amounts, labels, taints. Absent if there is nothing to add. */
  readonly facts?: readonly RefusalFact[];
}

export interface NodeExplanation {
  readonly node: string;
  /** From every plugin that refuses; empty if the pod fits. */
  readonly refusals: readonly Refusal[];
  /** Weighted scores by plugin; empty if the pod does not fit. */
  readonly scores: Readonly<Record<string, number>>;
  readonly total: number;
}

export interface PlacementExplanation {
  /** `namespace/name` */
  readonly pod: string;
  readonly schedulerName: string;
  /** The pod's node; empty while it is pending. */
  readonly nodeName: string;
  /** Refusals before any node is considered. */
  readonly heldBack: readonly Refusal[];
  /** Nodes that fit come first, the best at the top. */
  readonly nodes: readonly NodeExplanation[];
}

export interface ExplainOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
  readonly config?: KubeSchedulerConfiguration;
  /** In addition to those of `config`. */
  readonly extenders?: readonly Extender[];
}

/**
 * A pod that already has a node is treated as if it had none, among the current pods.
 * @throws StatusError if the pod does not exist, Error if there is no profile for it
 */
export async function explainPlacement(options: ExplainOptions): Promise<PlacementExplanation> {
  const { client, namespace, name } = options;
  const found = await client
    .resource<Pod & KubeObject>({ group: '', version: 'v1', resource: 'pods' })
    .namespace(namespace)
    .get(name);
  const { nodeName = '', ...spec } = found.spec ?? { containers: [] };
  const pod: Pod = { ...found, spec };
  const schedulerName = spec.schedulerName || 'default-scheduler';
  const config = completeConfiguration(options.config);
  const profiles = completeProfiles(config);
  const profile = profiles.find((each) => each.schedulerName === schedulerName);
  if (profile === undefined) throw new Error(`no profile is for the scheduler ${schedulerName}`);
  const { cluster } = await filledScheduler(client, profiles, found.metadata.uid ?? '');
  const attempt = new Attempt(podInfo(pod), profile, cluster);
  const gates = profile.points.preEnqueue.flatMap(({ name: plugin, preEnqueue }) =>
    refusalsOf(plugin, preEnqueue!(attempt.pod, cluster)),
  );
  const prepared = attempt.preFilter();
  const rejected = prepared.kind === 'rejected' ? refusalsOf(prepared.plugin, prepared.status) : [];
  const only = prepared.kind === 'ok' ? prepared : undefined;
  const asked = new Extenders([
    ...configuredExtenders(config.extenders ?? [], systemClock),
    ...(options.extenders ?? []),
  ]);
  const nodes =
    only === undefined
      ? []
      : await explainNodes(
          attempt,
          cluster.nodes,
          (node) => (only.onlyNodes === undefined || only.onlyNodes.has(node.name) ? [] : only.limitedBy),
          asked,
        );
  await asked.close();
  return { pod: `${namespace}/${name}`, schedulerName, nodeName, heldBack: [...gates, ...rejected], nodes };
}

async function explainNodes(
  attempt: Attempt,
  nodes: readonly NodeInfo[],
  excludedBy: (node: NodeInfo) => readonly string[],
  extenders: Extenders,
): Promise<readonly NodeExplanation[]> {
  const looked = nodes.map((node) => ({
    node,
    refusals: [
      ...excludedBy(node).map((plugin) => ({ plugin, reasons: ['node(s) are not among those it allows'] })),
      ...attempt
        .statuses(node)
        .flatMap(({ plugin, status }) =>
          refusalsOf(plugin, status).map((refusal) => withFacts(refusal, attempt.pod, node)),
        ),
    ],
  }));
  const offered = looked.filter(({ refusals }) => refusals.length === 0).map(({ node }) => node);
  const { fitting, refusals: byExtenders } = await extenders.filter(attempt.pod.pod, offered);
  const parts =
    fitting.length === 0
      ? []
      : [...attempt.scoreParts(fitting), ...(await extenders.scoreParts(attempt.pod.pod, fitting))];
  return looked
    .map(({ node, refusals }) => {
      const place = fitting.indexOf(node);
      const scores = Object.fromEntries(
        place < 0 ? [] : parts.map(({ plugin, scores: all }) => [plugin, all[place] ?? 0]),
      );
      const total = Object.values(scores).reduce((sum, score) => sum + score, 0);
      return { node: node.name, refusals: [...refusals, ...(byExtenders.get(node) ?? [])], scores, total };
    })
    .sort((a, b) => a.refusals.length - b.refusals.length || b.total - a.total);
}

/** Evaluates each extender separately, like a plugin. */
class Extenders {
  readonly #extenders: readonly Extender[];

  constructor(extenders: readonly Extender[]) {
    this.#extenders = extenders;
  }

  /** The failure of an extender counts as a refusal of every node. */
  async filter(pod: Pod, nodes: readonly NodeInfo[]) {
    const refusals = new Map<NodeInfo, readonly Refusal[]>();
    let fitting = nodes;
    for (const extender of this.#extenders) {
      const reported = new Map<NodeInfo, Rejection>();
      let failure: Error | undefined;
      const left = await new ExtenderList([extender])
        .filter(pod, fitting, { set: (node, status) => void reported.set(node, status) })
        .catch((error: Error): readonly NodeInfo[] => {
          failure = error;
          return [];
        });
      for (const node of fitting.filter((one) => !left.includes(one))) {
        const reasons = failure ? [failure.message] : (reported.get(node)?.reasons ?? []);
        refusals.set(node, [{ plugin: extender.name, reasons }]);
      }
      fitting = left;
    }
    return { fitting, refusals };
  }

  async scoreParts(pod: Pod, nodes: readonly NodeInfo[]): Promise<readonly ScorePart[]> {
    const parts = await new ExtenderList(this.#extenders).prioritize(pod, nodes);
    return parts.map(({ extender, scores }) => ({ plugin: extender, scores }));
  }

  async close(): Promise<void> {
    await new ExtenderList(this.#extenders).close();
  }
}

const refusalsOf = (plugin: string, status: Parameters<typeof isRejection>[0]): readonly Refusal[] =>
  isRejection(status) ? [{ plugin, reasons: status.reasons }] : [];

function withFacts(refusal: Refusal, pod: PodInfo, node: NodeInfo): Refusal {
  const facts = refusalFacts(refusal.plugin, pod, node);
  return facts.length === 0 ? refusal : { ...refusal, facts };
}

/** A scheduler with the current objects except for the pod in question, which takes no action. */
async function filledScheduler(
  client: KubeClient,
  profiles: ReturnType<typeof completeProfiles>,
  withoutUid: string,
): Promise<Scheduler> {
  const objects = new ObjectTables();
  const scheduler = new Scheduler({
    api: refusingApi,
    objects,
    profiles,
    clock: systemClock,
    random: systemRandom,
  });
  for (const { kind, apiVersion, resource } of followedResources) {
    for (const object of await listed<KubeObject>(client, apiVersion, resource)) objects.set(kind, object);
  }
  for (const node of await listed<Node & KubeObject>(client, 'v1', 'nodes')) {
    scheduler.nodeChanged(undefined, node);
  }
  for (const pod of await listed<Pod & KubeObject>(client, 'v1', 'pods')) {
    if (pod.metadata.uid !== withoutUid) scheduler.podChanged(undefined, pod);
  }
  return scheduler;
}

/** Empty if the server doesn't serve the resource. */
async function listed<T extends KubeObject>(
  client: KubeClient,
  apiVersion: string,
  resource: string,
): Promise<readonly T[]> {
  try {
    const { items } = await client.resource<T>({ ...parseApiVersion(apiVersion), resource }).list();
    return items;
  } catch (failure) {
    if (isStatusError(failure, 'NotFound')) return [];
    throw failure;
  }
}
