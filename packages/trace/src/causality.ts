/** What led to what in a recording: a tree for who reads it from the top, and links in both directions. */

import type { CausalLink, Recording, Step, Undertaking } from './recording.ts';

export interface Causality {
  /** Those that nothing in the recording led to, in the order in which they began. */
  readonly roots: readonly Undertaking[];
  /** By the id of what caused them: those that stand below it in the tree, in the order in which they began. */
  readonly effects: ReadonlyMap<string, readonly Undertaking[]>;
  /** By the id of an undertaking: that below which it stands. */
  readonly parents: ReadonlyMap<string, string>;
  /** By the id of a cause: all that name it, wherever they stand in the tree. */
  readonly ledTo: ReadonlyMap<string, readonly Undertaking[]>;
  readonly byId: ReadonlyMap<string, Undertaking>;
  /** The last digits of each id, with as many of the first ones before them as tell it from all others. */
  readonly shortIds: ReadonlyMap<string, string>;
}

/**
 * Each undertaking stands once: below the first cause that began before it. So the tree has no circles, whatever a
 * recording says; further causes are links.
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

/** The first that began before it. */
function parentOf({ id, causes }: Undertaking, order: ReadonlyMap<string, number>): string | undefined {
  let parent: string | undefined;
  let earliest = order.get(id)!;
  for (const cause of causes) {
    const at = order.get(cause) ?? Infinity;
    if (at < earliest) [parent, earliest] = [cause, at];
  }
  return parent;
}

/** How one led to the other. */
export const linkFrom = (undertaking: Undertaking, cause: string): CausalLink | undefined =>
  undertaking.links?.find(({ from }) => from === cause);

/** Processes begin ids with digits of their own and then count: the last digits differ, or else the first ones do. */
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

/** How long a step took besides the steps in it, as far as they did not run at the same time. */
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
