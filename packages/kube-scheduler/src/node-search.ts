import { runStep, type Random, type StepObserver } from '@coxswain/apimachinery';
import type { NodeInfo } from './cache/node-info.ts';
import { extenderPluginName } from './framework/extender.ts';
import type { ExtenderList } from './framework/extender-list.ts';
import type { Attempt, PreFilterOutcome } from './attempt.ts';
import type { Cluster } from './framework/cluster.ts';
import type { Diagnosis } from './framework/diagnosis.ts';
import type { MaybePromise } from './framework/maybe-promise.ts';
import { NodeToStatus } from './framework/node-to-status.ts';
import { unresolvable, type Rejection, type Status } from './status.ts';

/** Clusters up to this size are searched completely. */
const nodesToFindMin = 100;
const percentageMin = 5;

export type SearchResult =
  | { readonly kind: 'placed'; readonly node: NodeInfo }
  | { readonly kind: 'nowhere'; readonly diagnosis: Diagnosis; readonly rejectedBy: ReadonlySet<string> };

/** One search: its pod, the nodes, and the results so far. */
interface Round {
  readonly attempt: Attempt;
  readonly cluster: Cluster;
  readonly observer: StepObserver | undefined;
  readonly prepared: Extract<PreFilterOutcome, { kind: 'ok' }>;
  readonly statuses: NodeToStatus;
  readonly rejectedBy: Set<string>;
}

/** Finds the best node for a pod. In a large cluster, each search continues where the last one ended. */
export class NodeSearch {
  readonly #random: Random;
  readonly #statuses = new NodeToStatus();
  #nextStart = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Asynchronous only because of extenders. @throws Error, or rejects with it, if a plugin or an extender fails */
  find(attempt: Attempt, cluster: Cluster, observer?: StepObserver): MaybePromise<SearchResult> {
    const prepared = attempt.preFilter();
    if (prepared.kind === 'rejected')
      return refusedEverywhere(prepared.status, prepared.plugin, cluster.nodes.length);
    const statuses = this.#statuses;
    statuses.clear();
    const rejectedBy = new Set(prepared.limitedBy);
    const round = { attempt, cluster, observer, prepared, statuses, rejectedBy };
    return cluster.extenders === undefined ? this.#find(round) : this.#findWith(cluster.extenders, round);
  }

  #find(round: Round): SearchResult {
    const promised = this.#fittingPromised(round);
    const fitting = promised.length > 0 ? promised : this.#fitting(round);
    if (fitting.length === 0) return nowhere(round);
    return this.#best(fitting, fitting.length === 1 ? [] : round.attempt.score(fitting));
  }

  async #findWith(extenders: ExtenderList, round: Round): Promise<SearchResult> {
    const { attempt, statuses } = round;
    const { pod } = attempt.pod;
    // Whatever goes wrong with the nominated node, the others remain.
    let fitting = await extenders.filter(pod, this.#fittingPromised(round), statuses).catch(() => []);
    if (fitting.length === 0) {
      const offered = this.#fitting(round);
      fitting = await extenders.filter(pod, offered, statuses);
      if (fitting.length !== offered.length) round.rejectedBy.add(extenderPluginName);
    }
    if (fitting.length === 0) return nowhere(round);
    if (fitting.length === 1) return this.#best(fitting, []);
    const totals = [...attempt.score(fitting)];
    for (const { scores } of await extenders.prioritize(pod, fitting))
      scores.forEach((score, index) => (totals[index]! += score));
    return this.#best(fitting, totals);
  }

  /** The node that the pod is nominated to, if it fits there. */
  #fittingPromised(round: Round): readonly NodeInfo[] {
    const { nominatedNodeName = '' } = round.attempt.pod.pod.status ?? {};
    const promised = nominatedNodeName === '' ? undefined : round.cluster.node(nominatedNodeName);
    if (promised === undefined) return [];
    try {
      return this.#filter(round, [promised], 0, 1);
    } catch {
      return [];
    }
  }

  #fitting(round: Round): readonly NodeInfo[] {
    const { attempt, cluster, prepared, statuses } = round;
    const all = cluster.nodes;
    const { onlyNodes } = prepared;
    const nodes = onlyNodes === undefined ? all : all.filter(({ name }) => onlyNodes.has(name));
    const limit = choosesAmongNodes(attempt, cluster)
      ? feasibleNodesToFind(nodes.length, attempt.profile.percentageOfNodesToScore)
      : 1;
    const fitting = this.#filter(round, nodes, this.#nextStart, limit);
    this.#nextStart = (this.#nextStart + fitting.length + statuses.size) % all.length;
    return fitting;
  }

  /** @throws the error of a plugin */
  #filter(round: Round, nodes: readonly NodeInfo[], start: number, limit: number): readonly NodeInfo[] {
    return round.attempt.timed('Filter', () =>
      runStep(round.observer, 'schedule/filter', () => filterNodes(round, nodes, start, limit)),
    );
  }

  /** Picks the highest score; ties are broken randomly. */
  #best(nodes: readonly NodeInfo[], scores: readonly number[]): SearchResult {
    let best = 0;
    let equals = 1;
    for (let index = 1; index < nodes.length; index++) {
      if (scores[index]! > scores[best]!) {
        best = index;
        equals = 1;
      } else if (scores[index] === scores[best] && this.#random.next() < 1 / ++equals) best = index;
    }
    return { kind: 'placed', node: nodes[best]! };
  }
}

function filterNodes(
  { attempt, observer, statuses, rejectedBy }: Round,
  nodes: readonly NodeInfo[],
  start: number,
  limit: number,
): readonly NodeInfo[] {
  const fitting: NodeInfo[] = [];
  const refusals = new Map<string, number>();
  const verdicts: Record<string, string> | undefined = observer && {};
  const reported: Map<string, Record<string, string>> | undefined = observer && new Map();
  let next = nodes.length === 0 ? 0 : start % nodes.length;
  for (let asked = 0; asked < nodes.length && fitting.length < limit; asked++) {
    const node = nodes[next]!;
    if (++next === nodes.length) next = 0;
    const { status, plugin } = attempt.filterWithNominated(node);
    if (verdicts !== undefined) verdicts[node.name] = recordedStatus(status, plugin);
    if (status.kind === 'fits') fitting.push(node);
    else if (status.kind === 'error') throw new Error(status.reasons.join(', '));
    else {
      statuses.set(node, status);
      if (plugin === undefined) continue;
      refusals.set(plugin, (refusals.get(plugin) ?? 0) + 1);
      if (reported === undefined) continue;
      const reasons = reported.get(plugin) ?? {};
      reported.set(plugin, { ...reasons, [node.name]: status.reasons.join(', ') });
    }
  }
  for (const plugin of refusals.keys()) rejectedBy.add(plugin);
  observer?.note?.({ fitting: fitting.length, nodes: verdicts });
  if (reported !== undefined) attempt.recordFilters(reported, fitting.length === 0);
  attempt.countFilters(fitting.length + statuses.size, refusals);
  return fitting;
}

const recordedStatus = (status: Status, plugin: string | undefined): string =>
  status.kind === 'fits' ? 'fits' : `${plugin ?? ''}: ${status.reasons.join(', ')}`;

/** If nothing compares nodes, the first that fits is chosen. */
const choosesAmongNodes = ({ profile }: Attempt, { extenders }: Cluster): boolean =>
  profile.points.score.length > 0 || (extenders?.canFilter ?? false) || (extenders?.canScore ?? false);

function nowhere({ cluster, prepared, statuses, rejectedBy }: Round): SearchResult {
  const reasons = prepared.onlyNodes === undefined ? [] : [notAmong(prepared.limitedBy)];
  const absentNodesStatus = unresolvable(...reasons);
  const diagnosis = { nodeCount: cluster.nodes.length, statuses, absentNodesStatus, postFilterMessage: '' };
  return { kind: 'nowhere', diagnosis, rejectedBy };
}

/** @throws Error if it was a failure rather than a refusal */
function refusedEverywhere(status: Rejection, plugin: string, nodeCount: number): SearchResult {
  const preFilterMessage = status.reasons.join(', ');
  if (status.kind === 'error') throw new Error(preFilterMessage);
  const diagnosis = {
    nodeCount,
    statuses: new NodeToStatus(),
    absentNodesStatus: status,
    preFilterMessage,
    postFilterMessage: '',
  };
  return { kind: 'nowhere', rejectedBy: new Set([plugin]), diagnosis };
}

const notAmong = (plugins: readonly string[]): string =>
  `node(s) didn't satisfy plugin(s) [${[...plugins].sort().join(' ')}]`;

/** The number of fitting nodes after which the search ends. */
export function feasibleNodesToFind(nodes: number, percentageWanted: number): number {
  if (nodes < nodesToFindMin) return nodes;
  const percentage = percentageWanted || Math.max(percentageMin, 50 - Math.trunc(nodes / 125));
  return Math.max(nodesToFindMin, Math.trunc((nodes * percentage) / 100));
}
