/** A recording as the page walks it: undertakings below their causes, steps below the node that contains them. */

import { causalityOf, linkFrom, selfNs, type Causality } from '../src/causality.ts';
import { isFilterStep, nextOfFilter } from '../src/filter-steps.ts';
import type { Recording, Step, Undertaking } from '../src/recording.ts';

export interface Node {
  readonly id: number;
  readonly span: Undertaking | Step;
  /** The undertaking that this node is or belongs to. */
  readonly undertaking: Undertaking;
  /** Absent for an undertaking itself. */
  readonly step?: Step;
  /** The node that contains this one; for an undertaking, its cause. */
  readonly parent?: Node;
  /** The steps within it. */
  readonly steps: Node[];
  /** The number of steps between this one and its undertaking. Filters do not count: they are shown side by side. */
  readonly depth: number;
  readonly isFilter: boolean;
  /** The end of its bar. The bar of a filter ends where it calls the next handler. */
  readonly endNs: number;
}

export interface Model {
  readonly recording: Recording;
  readonly causality: Causality;
  /** Undertakings, in the order in which they began. */
  readonly undertakings: readonly Node[];
  /** All nodes, each before those that it contains. */
  readonly nodes: readonly Node[];
  readonly ofUndertaking: ReadonlyMap<string, Node>;
  /** The names of the bands of the timeline, from top to bottom. */
  readonly bands: readonly string[];
  readonly startNs: number;
  readonly endNs: number;
}

export function modelOf(recording: Recording): Model {
  const causality = causalityOf(recording);
  const startNs = recording.undertakings[0]?.startNs ?? 0;
  const endNs = lastMoment(recording, startNs);
  const nodes: Node[] = [];
  const undertakings = recording.undertakings.map((undertaking) => nodeOf(undertaking, nodes, endNs));
  return {
    recording,
    causality,
    undertakings,
    nodes,
    ofUndertaking: new Map(undertakings.map((node) => [node.undertaking.id, node])),
    bands: bandsOf(recording),
    startNs,
    endNs: Math.max(endNs, startNs + 1000),
  };
}

/** A band for each component. Watches last as long as their clients do: they are apart, below everything else. */
export const bandOf = ({ kind, component, name }: Undertaking): string =>
  kind === 'request' && /[?&]watch=(?:true|1)\b/.test(name) ? `watches of ${component}` : component;

function bandsOf({ undertakings }: Recording): readonly string[] {
  const bands = [...new Set(undertakings.map(bandOf))];
  const components = new Set(undertakings.map(({ component }) => component));
  return bands.toSorted((one, other) => Number(!components.has(one)) - Number(!components.has(other)));
}

function lastMoment(recording: Recording, startNs: number): number {
  let last = startNs;
  const pending: (Undertaking | Step)[] = [...recording.undertakings];
  for (let span = pending.pop(); span !== undefined; span = pending.pop()) {
    last = Math.max(last, span.startNs + (span.durationNs ?? 0));
    for (const step of span.steps) pending.push(step);
  }
  return last;
}

const ends = ({ startNs, durationNs }: Undertaking | Step, endNs: number): number =>
  durationNs === undefined ? endNs : startNs + durationNs;

function nodeOf(undertaking: Undertaking, nodes: Node[], endNs: number): Node {
  const node: Node = {
    id: nodes.length,
    span: undertaking,
    undertaking,
    steps: [],
    depth: 0,
    isFilter: false,
    endNs: ends(undertaking, endNs),
  };
  nodes.push(node);
  for (const step of undertaking.steps) addStep(step, node, 1, nodes, endNs);
  return node;
}

/** The handler that a filter calls is shown beside it. */
function addStep(step: Step, parent: Node, depth: number, nodes: Node[], endNs: number): void {
  const isFilter = isFilterStep(step);
  const next = isFilter ? nextOfFilter(step) : undefined;
  const node: Node = {
    id: nodes.length,
    span: step,
    undertaking: parent.undertaking,
    step,
    parent,
    steps: [],
    depth,
    isFilter,
    endNs: next?.startNs ?? ends(step, endNs),
  };
  nodes.push(node);
  parent.steps.push(node);
  for (const inner of step.steps) {
    if (inner === next) addStep(inner, parent, depth, nodes, endNs);
    else addStep(inner, node, depth + 1, nodes, endNs);
  }
}

/** The time that a node itself took: for a filter, without the next handler; otherwise, without the steps within it. */
export const ownNs = (node: Node): number | undefined => selfNs(node.span);

/** The duration to display. For a filter, only its own time: the rest of the request is not its work. */
export const shownNs = (node: Node): number | undefined =>
  node.isFilter ? ownNs(node) : node.span.durationNs;

/** The causes of an undertaking, and how each led to it. */
export const causesOf = (model: Model, { undertaking }: Node): readonly { node: Node; how: string }[] =>
  undertaking.causes.flatMap((id) => {
    const node = model.ofUndertaking.get(id);
    return node === undefined ? [] : [{ node, how: how(undertaking, id) }];
  });

export const effectsOf = (model: Model, { undertaking }: Node): readonly { node: Node; how: string }[] =>
  (model.causality.ledTo.get(undertaking.id) ?? []).map((effect) => ({
    node: model.ofUndertaking.get(effect.id)!,
    how: how(effect, undertaking.id),
  }));

function how(effect: Undertaking, cause: string): string {
  const link = linkFrom(effect, cause);
  if (link === undefined || link.by === 'call') return 'call';
  if (link.by === 'queue') return `queued ${link.key ?? ''}`;
  return `revision ${link.revision ?? '?'}${link.key === undefined ? '' : `, ${link.key}`}`;
}

/** Everything that led to the undertaking and everything that it led to. */
export function related(model: Model, node: Node): ReadonlySet<string> {
  const found = new Set<string>();
  const up = [node.undertaking.id];
  for (let id = up.pop(); id !== undefined; id = up.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    up.push(...(model.ofUndertaking.get(id)?.undertaking.causes ?? []));
  }
  const down = [node.undertaking.id];
  const below = new Set<string>();
  for (let id = down.pop(); id !== undefined; id = down.pop()) {
    if (below.has(id)) continue;
    below.add(id);
    found.add(id);
    down.push(...(model.causality.effects.get(id) ?? []).map((effect) => effect.id));
  }
  return found;
}

/** All times at which something began or ended. */
export function momentsOf({ nodes, startNs, endNs }: Model): Float64Array {
  const moments = new Float64Array(nodes.length * 2 + 2);
  for (const [index, node] of nodes.entries()) {
    moments[index * 2] = node.span.startNs;
    moments[index * 2 + 1] = Math.min(node.endNs, endNs);
  }
  moments[nodes.length * 2] = startNs;
  moments[nodes.length * 2 + 1] = endNs;
  return moments;
}
