import { aggregateText } from '@coxswain/apimachinery/field-error.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import { isTerminating, type PodInfo } from '../cache/pod-info.ts';
import type { Cluster } from '../framework/cluster.ts';
import type { ExtenderList } from '../framework/extender-list.ts';
import { diagnosisText } from '../framework/diagnosis.ts';
import { retryOn } from '../framework/cluster-event.ts';
import type { MaybePromise } from '../framework/maybe-promise.ts';
import { NodeToStatus } from '../framework/node-to-status.ts';
import { plugin, type AnyPlugin, type FailedAttempt, type PostFilterResult } from '../framework/plugin.ts';
import { fits, unresolvable } from '../status.ts';
import { evictVictims } from './preemption/evict-victims.ts';
import { pickCandidate, type Candidate } from './preemption/pick-candidate.ts';
import { selectVictims, withCosts } from './preemption/select-victims.ts';

export interface DefaultPreemptionArgs {
  /** The number of candidates to consider: this percentage of the nodes, but at least the absolute number. */
  readonly minCandidateNodesPercentage?: number;
  readonly minCandidateNodesAbsolute?: number;
}

/** Preempts pods of lower priority to make room for a pod: as few, and with as low a priority, as possible. */
export function defaultPreemption(args: DefaultPreemptionArgs = {}): AnyPlugin {
  const percentage = args.minCandidateNodesPercentage ?? 10;
  const absolute = args.minCandidateNodesAbsolute ?? 100;
  const candidatesMax = (nodes: number) =>
    Math.min(nodes, Math.max(absolute, Math.trunc((nodes * percentage) / 100)));
  return plugin({
    name: 'DefaultPreemption',
    // The plugins that refused the pod determine when it is retried.
    retryWhen: [retryOn('Pod', ['delete'], () => false)],
    preEnqueue: (pod, cluster) =>
      cluster.isWaiting(pod.uid)
        ? unresolvable('waiting for the preemption for this pod to be finished')
        : fits,
    postFilter: (pod, attempt, cluster) => preempt(pod, attempt, cluster, candidatesMax),
  });
}

const prefix = 'preemption: ';
const unhelpful = unresolvable('Preemption is not helpful for scheduling');
const noVictims = unresolvable('No preemption victims found for incoming pod');

function preempt(
  pod: PodInfo,
  attempt: FailedAttempt<undefined>,
  cluster: Cluster,
  candidatesMax: (nodes: number) => number,
): MaybePromise<PostFilterResult> {
  const obstacle = whyNotEligible(pod, attempt, cluster);
  if (obstacle !== undefined) return { kind: 'unschedulable', reasons: [prefix + obstacle] };
  const { candidates, statuses, failures } = findCandidates(pod, attempt, cluster, candidatesMax);
  if (candidates.length === 0 && failures.length > 0)
    return { kind: 'error', reasons: [prefix + aggregateText(failures)] };
  if (candidates.length === 0) {
    const text = diagnosisText({
      nodeCount: cluster.nodes.length,
      statuses,
      absentNodesStatus: unhelpful,
      postFilterMessage: '',
    });
    return { kind: 'unschedulable', reasons: [prefix + text], clearNomination: true };
  }
  return cluster.extenders === undefined
    ? preemptOn(candidates, pod, cluster)
    : preemptWith(cluster.extenders, candidates, pod, cluster);
}

function preemptOn(candidates: readonly Candidate[], pod: PodInfo, cluster: Cluster): PostFilterResult {
  const best = pickCandidate(candidates);
  if (best === undefined)
    return { kind: 'unschedulable', reasons: [`${prefix}no candidate node for preemption`] };
  evictVictims(pod, best, cluster);
  return { kind: 'nominated', nominate: best.nodeName, victims: best.found.victims.length };
}

/** Extenders decide which of the nodes to use, and may choose other victims there. */
async function preemptWith(
  extenders: ExtenderList,
  candidates: readonly Candidate[],
  pod: PodInfo,
  cluster: Cluster,
): Promise<PostFilterResult> {
  try {
    const offered = new Map(candidates.map(({ nodeName, found }) => [nodeName, found]));
    const left = await extenders.preempt(pod.pod, offered, (name) => cluster.node(name));
    const chosen = [...left].map(([nodeName, victims]) => ({ nodeName, found: withCosts(victims) }));
    return preemptOn(chosen, pod, cluster);
  } catch (failure) {
    return { kind: 'error', reasons: [`${prefix}${messageOf(failure)}`] };
  }
}

/** A pod that has already preempted others waits for its victims to go. */
function whyNotEligible(
  pod: PodInfo,
  attempt: FailedAttempt<undefined>,
  cluster: Cluster,
): string | undefined {
  if (pod.pod.spec?.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const nominated = pod.pod.status?.nominatedNodeName;
  if (!nominated) return undefined;
  const node = cluster.node(nominated);
  const status = (node && attempt.statuses.of(node)) ?? attempt.absentNodesStatus;
  if (status.kind === 'unresolvable') return undefined;
  const pods = node?.pods.values() ?? [];
  return [...pods].some((other) => other.priority < pod.priority && isPreempted(other))
    ? 'not eligible due to a terminating pod on the nominated node.'
    : undefined;
}

const isPreempted = ({ pod }: PodInfo): boolean =>
  isTerminating(pod) &&
  (pod.status?.conditions ?? []).some(
    ({ type, status, reason }) =>
      type === 'DisruptionTarget' && status === 'True' && reason === 'PreemptionByScheduler',
  );

interface Found {
  readonly candidates: readonly Candidate[];
  readonly statuses: NodeToStatus;
  /** For nodes on which the pod would fit unchanged, so that no plugin's refusal explains the failure. */
  readonly failures: readonly string[];
}

function findCandidates(
  pod: PodInfo,
  attempt: FailedAttempt<undefined>,
  cluster: Cluster,
  candidatesMax: (nodes: number) => number,
): Found {
  const nodes = cluster.nodes.filter(
    (node) => (attempt.statuses.of(node) ?? attempt.absentNodesStatus).kind === 'unschedulable',
  );
  const candidates: Candidate[] = [];
  const failures: string[] = [];
  /** Whether a candidate violates no disruption budgets. */
  let hasHarmless = false;
  const statuses = new NodeToStatus();
  const limit = candidatesMax(nodes.length);
  const offset = Math.floor(cluster.random.next() * nodes.length);
  const budgets = [...cluster.objects.budgets()];
  const victimsOn = (node: NodeInfo): ReturnType<typeof selectVictims> => {
    const promised = cluster.nominatedTo(node.name);
    const memo = budgets.length === 0 ? attempt.memoFor(promised) : undefined;
    const known = memo?.victims(node, promised);
    if (known !== undefined) return known;
    const found = selectVictims(pod, attempt.simulate(node), budgets);
    memo?.keepVictims(node, promised, found);
    return found;
  };
  for (let index = 0; index < nodes.length; index++) {
    const node: NodeInfo = nodes[(offset + index) % nodes.length]!;
    const found = victimsOn(node);
    if (found === 'nobody') statuses.set(node, noVictims);
    else if ('kind' in found) statuses.set(node, found);
    else if (found.victims.length === 0)
      failures.push(`expected at least one victim pod on node "${node.name}"`);
    else {
      candidates.push({ nodeName: node.name, found });
      hasHarmless ||= found.budgetViolations === 0;
    }
    if (candidates.length >= limit && hasHarmless) break;
  }
  return { candidates, statuses, failures };
}
