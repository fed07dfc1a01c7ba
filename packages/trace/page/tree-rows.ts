/** The visible rows of the tree. Nodes within folded ones have no row. */

import type { Model, Node } from './model.ts';

export type TreeRow =
  | {
      readonly kind: 'node';
      readonly node: Node;
      readonly level: number;
      readonly hasMore: boolean;
      readonly isOpen: boolean;
    }
  /** The filters of a request, in one row. */
  | {
      readonly kind: 'filters';
      readonly filters: readonly Node[];
      readonly level: number;
      readonly isOpen: boolean;
    };

export class TreeRows {
  readonly #model: Model;
  readonly #open = new Set<Node>();
  /** Unfolded groups of filters, by the first filter of each. */
  readonly #openFilters = new Set<Node>();

  constructor(model: Model) {
    this.#model = model;
    for (const root of model.causality.roots) this.#openCalled(model.ofUndertaking.get(root.id)!);
  }

  /** Initially, the undertakings without a cause and those that they called are open. */
  #openCalled(node: Node): void {
    this.#open.add(node);
    for (const step of node.steps) if (!step.isFilter) this.#openLarge(step, node.endNs - node.span.startNs);
    for (const effect of this.#model.causality.effects.get(node.undertaking.id) ?? [])
      if (effect.links?.some(({ by }) => by === 'call'))
        this.#openCalled(this.#model.ofUndertaking.get(effect.id)!);
  }

  #openLarge(step: Node, wholeNs: number): void {
    if (step.depth > openDepth || step.steps.length > openMax) return;
    if ((step.span.durationNs ?? 0) < wholeNs / 8) return;
    this.#open.add(step);
    for (const inner of step.steps) this.#openLarge(inner, wholeNs);
  }

  toggle(row: TreeRow, isOpen = !row.isOpen): void {
    const [set, node] =
      row.kind === 'filters' ? [this.#openFilters, row.filters[0]!] : [this.#open, row.node];
    if (isOpen) set.add(node);
    else set.delete(node);
  }

  /** Unfolds the nodes above, so that this one has a row. */
  reveal(node: Node): void {
    for (let above = node.parent; above !== undefined; above = above.parent) this.#open.add(above);
    if (node.isFilter) {
      const first = filterRunOf(node)[0];
      if (first !== undefined) this.#openFilters.add(first);
    }
  }

  toggleAll(isOpen: boolean): void {
    this.#open.clear();
    if (isOpen) for (const node of this.#model.nodes) this.#open.add(node);
  }

  rows(): readonly TreeRow[] {
    const rows: TreeRow[] = [];
    for (const root of this.#model.causality.roots)
      this.#addUndertaking(this.#model.ofUndertaking.get(root.id)!, 0, rows);
    return rows;
  }

  #addUndertaking(node: Node, level: number, rows: TreeRow[]): void {
    const isOpen = this.#open.has(node);
    rows.push({ kind: 'node', node, level, hasMore: node.steps.length > 0, isOpen });
    const effects = (this.#model.causality.effects.get(node.undertaking.id) ?? []).map(({ id }) =>
      this.#model.ofUndertaking.get(id)!,
    );
    // Effects are shown even where steps are not; they are placed between the steps by time.
    let shown = 0;
    const before = (moment: number) => {
      for (; shown < effects.length && effects[shown]!.span.startNs <= moment; shown++)
        this.#addUndertaking(effects[shown]!, level + 1, rows);
    };
    if (isOpen) this.#addSteps(node.steps, level + 1, rows, before);
    before(Infinity);
  }

  #addSteps(steps: readonly Node[], level: number, rows: TreeRow[], before: (moment: number) => void): void {
    for (let at = 0; at < steps.length; at++) {
      const step = steps[at]!;
      before(step.span.startNs);
      const filters = filterRun(steps, at);
      if (filters.length < 2) {
        this.#addStep(step, level, rows);
        continue;
      }
      const isOpen = this.#openFilters.has(step);
      rows.push({ kind: 'filters', filters, level, isOpen });
      for (const filter of filters)
        if (isOpen || filter.span.failure !== undefined) this.#addStep(filter, level + 1, rows);
      at += filters.length - 1;
    }
  }

  #addStep(node: Node, level: number, rows: TreeRow[]): void {
    const isOpen = this.#open.has(node);
    rows.push({ kind: 'node', node, level, hasMore: node.steps.length > 0, isOpen });
    if (isOpen) this.#addSteps(node.steps, level + 1, rows, () => undefined);
  }
}

/** Deeper steps, and steps that contain many others, are folded initially. */
const openDepth = 3;
const openMax = 40;

function filterRun(steps: readonly Node[], from: number): readonly Node[] {
  let to = from;
  while (steps[to]?.isFilter) to++;
  return steps.slice(from, to);
}

function filterRunOf(node: Node): readonly Node[] {
  const beside = node.parent?.steps ?? [];
  let from = beside.indexOf(node);
  while (beside[from - 1]?.isFilter) from--;
  return filterRun(beside, from);
}
