/** Causes and effects in a recording: a tree to read from the top, and links in both directions. */

import type { CausalLink, Recording, Step, Undertaking } from './recording.ts';

export interface Causality {
  /** Undertakings without a cause in the recording, in the order in which they began. */
  readonly roots: readonly Undertaking[];
  /** The children of each undertaking in the tree, by the parent's id, in the order in which they began. */
  readonly effects: ReadonlyMap<string, readonly Undertaking[]>;
  /** The parent in the tree, by the id of an undertaking. */
  readonly parents: ReadonlyMap<string, string>;
  /** By the id of a cause: all undertakings that name it, wherever they are in the tree. */
  readonly ledTo: ReadonlyMap<string, readonly Undertaking[]>;
  readonly byId: ReadonlyMap<string, Undertaking>;
  /** The last digits of each id, preceded by as many of its first digits as make it unique. */
  readonly shortIds: ReadonlyMap<string, string>;
}

/**
 * Each undertaking appears once, below the first of its causes that began before it. The tree therefore has no cycles,
 * whatever a recording says; further causes are links.
 */
export function causalityOf({ undertakings }: Recording): Causality {
  const byId = new Map(undertakings.map((undertaking) => [undertaking.id, undertaking]));
  const order = new Map(undertakings.map(({ id }, index) => [id, index]));
  const roots: Undertaking[] = [];
  const effects = new Map<string, Undertaking[]>();
  const parents = new Map<string, string>();
  const ledTo = new Map<string, Undertaking[]>();
  for (const undertaking of undertakings) {
    for (const cause of undertaking.causes) added(ledTo, cause, undertaking);
    const parent = parentOf(undertaking, order);
    if (parent === undefined) roots.push(undertaking);
    else {
      parents.set(undertaking.id, parent);
      added(effects, parent, undertaking);
    }
  }
  return { roots, effects, parents, ledTo, byId, shortIds: shortened([...byId.keys()]) };
}

function added(lists: Map<string, Undertaking[]>, id: string, undertaking: Undertaking): void {
  const list = lists.get(id);
  if (list === undefined) lists.set(id, [undertaking]);
  else list.push(undertaking);
}

/** The first cause that began before the undertaking. */
function parentOf({ id, causes }: Undertaking, order: ReadonlyMap<string, number>): string | undefined {
  let parent: string | undefined;
  let earliest = order.get(id)!;
  for (const cause of causes) {
    const at = order.get(cause) ?? Infinity;
    if (at < earliest) [parent, earliest] = [cause, at];
  }
  return parent;
}

/** The link that describes how the cause led to the undertaking. */
export const linkFrom = (undertaking: Undertaking, cause: string): CausalLink | undefined =>
  undertaking.links?.find(({ from }) => from === cause);

/**
 * The ids of a process begin with digits of its own, followed by a counter, so either the last digits differ or the
 * first ones do.
 */
function shortened(ids: readonly string[]): ReadonlyMap<string, string> {
  const byEnd = Map.groupBy(ids, (id) => id.slice(-endDigits));
  return new Map(
    ids.map((id) => {
      const end = id.slice(-endDigits);
      const others = byEnd.get(end)!.filter((other) => other !== id);
      if (others.length === 0) return [id, end];
      return [id, `${id.slice(0, 1 + Math.max(...others.map((other) => sharedDigits(id, other))))}-${end}`];
    }),
  );
}

const endDigits = 4;

function sharedDigits(one: string, other: string): number {
  let count = 0;
  while (count < one.length && one[count] === other[count]) count++;
  return count;
}

/** How long a step took apart from the steps within it, counting those that ran at the same time once. */
export function selfNs(step: Pick<Step, 'startNs' | 'durationNs' | 'steps'>): number | undefined {
  if (step.durationNs === undefined) return undefined;
  const end = step.startNs + step.durationNs;
  let covered = 0;
  let reached = step.startNs;
  for (const { startNs, durationNs } of step.steps.toSorted((one, other) => one.startNs - other.startNs)) {
    const from = Math.max(reached, startNs);
    const to = Math.min(end, startNs + (durationNs ?? Infinity));
    if (to > from) covered += to - from;
    reached = Math.max(reached, to);
  }
  return step.durationNs - covered;
}

export function countSteps(steps: readonly Step[]): number {
  let count = 0;
  for (const step of steps) count += 1 + countSteps(step.steps);
  return count;
}
