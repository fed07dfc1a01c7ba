import { runStep } from '@coxswain/apimachinery';
import type { Random, StepObserver } from '@coxswain/apimachinery';
import type { NodeInfo } from './cache/node-info.ts';
import type { Attempt } from './framework/attempt.ts';
import type { Cluster } from './framework/cluster.ts';
import type { Diagnosis } from './framework/diagnosis.ts';
import { NodeVerdicts } from './framework/node-verdicts.ts';
import type { Rejection } from './framework/verdict.ts';
import { unresolvable } from './framework/verdict.ts';

/** Clusters up to this size are searched whole. */
const nodesToFindMin = 100;
const percentageMin = 5;

export type SearchResult =
  | { readonly kind: 'placed'; readonly node: NodeInfo }
  | { readonly kind: 'nowhere'; readonly diagnosis: Diagnosis; readonly rejectedBy: ReadonlySet<string> }
  | { readonly kind: 'error'; readonly message: string };

/** The way from all nodes to the best one. Each search of a large cluster goes on where the last one ended. */
export class NodeSearch {
  readonly #random: Random;
  readonly #verdicts = new NodeVerdicts();
  #nextStart = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  find(attempt: Attempt, cluster: Cluster, observer?: StepObserver): SearchResult {
    const all = cluster.nodes;
    const prepared = attempt.preFilter();
    if (prepared.kind === 'rejected') return refusedEverywhere(prepared.verdict, prepared.plugin, all.length);
    const verdicts = this.#verdicts;
    verdicts.clear();
    const rejectedBy = new Set<string>(prepared.limitedBy);
    const check = (nodes: readonly NodeInfo[], start: number, limit: number) =>
      attempt.timed('Filter', () =>
        runStep(observer, 'schedule/filter', () =>
          this.#filter(attempt, nodes, start, limit, verdicts, rejectedBy),
        ),
      );
    const nominated = cluster.node(attempt.pod.pod.status?.nominatedNodeName ?? '');
    let feasible: NodeInfo[] | string = nominated === undefined ? [] : check([nominated], 0, 1);
    if (feasible.length === 0) {
      const nodes =
        prepared.onlyNodes === undefined ? all : all.filter(({ name }) => prepared.onlyNodes!.has(name));
      const limit = feasibleNodesToFind(nodes.length, attempt.profile.percentageOfNodesToScore);
      feasible = check(nodes, this.#nextStart, limit);
      if (typeof feasible !== 'string')
        this.#nextStart = (this.#nextStart + feasible.length + verdicts.size) % all.length;
    }
    if (typeof feasible === 'string') return { kind: 'error', message: feasible };
    if (feasible.length > 0) return { kind: 'placed', node: this.#best(attempt, feasible) };
    const reasons = prepared.onlyNodes === undefined ? [] : [notAmong(prepared.limitedBy)];
    const absentVerdict = unresolvable(...reasons);
    const diagnosis = { nodeCount: all.length, verdicts, absentVerdict, postFilterMessage: '' };
    return { kind: 'nowhere', diagnosis, rejectedBy };
  }

  /** The nodes that fit, or the text of an error. */
  #filter(
    attempt: Attempt,
    nodes: readonly NodeInfo[],
    start: number,
    limit: number,
    verdicts: NodeVerdicts,
    rejectedBy: Set<string>,
  ): NodeInfo[] | string {
    const feasible: NodeInfo[] = [];
    const refusals = new Map<string, number>();
    let next = nodes.length === 0 ? 0 : start % nodes.length;
    for (let asked = 0; asked < nodes.length && feasible.length < limit; asked++) {
      const node = nodes[next]!;
      if (++next === nodes.length) next = 0;
      const { verdict, plugin } = attempt.filterWithNominated(node);
      if (verdict.kind === 'fits') feasible.push(node);
      else if (verdict.kind === 'error') return verdict.reasons.join(', ');
      else {
        verdicts.set(node, verdict);
        if (plugin !== undefined) refusals.set(plugin, (refusals.get(plugin) ?? 0) + 1);
      }
    }
    for (const plugin of refusals.keys()) rejectedBy.add(plugin);
    attempt.countFilters(feasible.length + verdicts.size, refusals);
    return feasible;
  }

  /** The highest score; among equals, chance decides. */
  #best(attempt: Attempt, nodes: readonly NodeInfo[]): NodeInfo {
    if (nodes.length === 1) return nodes[0]!;
    const scores = attempt.score(nodes);
    let best = 0;
    let equals = 1;
    for (let index = 1; index < nodes.length; index++) {
      if (scores[index]! > scores[best]!) {
        best = index;
        equals = 1;
      } else if (scores[index] === scores[best] && this.#random.next() < 1 / ++equals) best = index;
    }
    return nodes[best]!;
  }
}

const refusedEverywhere = (verdict: Rejection, plugin: string, nodeCount: number): SearchResult =>
  verdict.kind === 'error'
    ? { kind: 'error', message: verdict.reasons.join(', ') }
    : {
        kind: 'nowhere',
        rejectedBy: new Set([plugin]),
        diagnosis: {
          nodeCount,
          verdicts: new NodeVerdicts(),
          absentVerdict: verdict,
          preFilterMessage: verdict.reasons.join(', '),
          postFilterMessage: '',
        },
      };

const notAmong = (plugins: readonly string[]): string =>
  `node(s) didn't satisfy plugin(s) [${[...plugins].sort().join(' ')}]`;

/** After how many fitting nodes the search ends. */
export function feasibleNodesToFind(nodes: number, percentageWanted: number): number {
  if (nodes < nodesToFindMin) return nodes;
  const percentage = percentageWanted || Math.max(percentageMin, 50 - Math.trunc(nodes / 125));
  return Math.max(nodesToFindMin, Math.trunc((nodes * percentage) / 100));
}
