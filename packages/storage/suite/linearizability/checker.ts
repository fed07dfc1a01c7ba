/**
 * Checks whether a history of concurrent operations is linearizable: whether each could have taken effect at one moment
 * between its call and its return, so that all results are those of a sequential run.
 *
 * The search is that of Wing and Gong, done just in time (Lowe, 2017): the history is read event by event with the set
 * of all possible configurations so far; one that cannot explain a return is dropped. Memory is bounded by the number
 * of concurrent operations, not by the length of the history. Independent parts of a history should be checked
 * separately.
 */

/** Moments are positions of events in a total order: the smaller one was first. */
export interface CompletedOperation<Operation> {
  readonly operation: Operation;
  readonly calledAt: number;
  readonly returnedAt: number;
}

/**
 * States are strings, so that equal ones are identical. `step` returns undefined when the operation cannot have had
 * this result.
 */
export interface SequentialModel<Operation> {
  readonly initial: string;
  step(state: string, operation: Operation): string | undefined;
}

export type Verdict<Operation> =
  | { readonly linearizable: true; readonly configurationsMost: number }
  /** The first return that no order explains, with all concurrent operations. */
  | {
      readonly linearizable: false;
      readonly at: CompletedOperation<Operation>;
      readonly open: readonly CompletedOperation<Operation>[];
      readonly states: readonly string[];
    };

/** One bit for each concurrent operation. */
const openMax = 30;

interface Configuration {
  readonly state: string;
  /** The concurrent operations that have taken effect. */
  readonly happened: number;
}

/** @throws RangeError when more than 30 operations are concurrent */
export function checkLinearizable<Operation>(
  history: readonly CompletedOperation<Operation>[],
  model: SequentialModel<Operation>,
): Verdict<Operation> {
  const open: (CompletedOperation<Operation> | undefined)[] = [];
  let configurations: Configuration[] = [{ state: model.initial, happened: 0 }];
  let configurationsMost = 1;
  for (const { isCall, completed } of eventsOf(history)) {
    if (isCall) {
      enter(open, completed);
      continue;
    }
    const slot = open.indexOf(completed);
    const after = explained(configurations, open, slot, model);
    if (after.length === 0) {
      return {
        linearizable: false,
        at: completed,
        open: open.filter((one) => one !== undefined),
        states: [...new Set(configurations.map(({ state }) => state))],
      };
    }
    configurations = after;
    configurationsMost = Math.max(configurationsMost, after.length);
    open[slot] = undefined;
  }
  return { linearizable: true, configurationsMost };
}

function eventsOf<Operation>(history: readonly CompletedOperation<Operation>[]) {
  return history
    .flatMap((completed) => [
      { at: completed.calledAt, isCall: true, completed },
      { at: completed.returnedAt, isCall: false, completed },
    ])
    .sort((a, b) => a.at - b.at);
}

function enter<T>(open: (T | undefined)[], one: T): void {
  const free = open.indexOf(undefined);
  const slot = free < 0 ? open.length : free;
  if (slot >= openMax) throw new RangeError(`more than ${openMax} operations at once`);
  open[slot] = one;
}

/**
 * The configurations in which the operation in `slot` has taken effect, without that bit, which is no longer needed.
 */
function explained<Operation>(
  configurations: readonly Configuration[],
  open: readonly (CompletedOperation<Operation> | undefined)[],
  slot: number,
  model: SequentialModel<Operation>,
): Configuration[] {
  const wanted = 1 << slot;
  const seen = new Set<string>();
  const waiting = [...configurations];
  const after = new Map<string, Configuration>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { state, happened } = next;
    if (happened & wanted) {
      const rest = { state, happened: happened & ~wanted };
      after.set(keyOf(rest), rest);
      continue;
    }
    for (let other = 0; other < open.length; other++) {
      const bit = 1 << other;
      const completed = open[other];
      if (completed === undefined || happened & bit) continue;
      const stepped = model.step(state, completed.operation);
      if (stepped === undefined) continue;
      const reached = { state: stepped, happened: happened | bit };
      if (seen.has(keyOf(reached))) continue;
      seen.add(keyOf(reached));
      waiting.push(reached);
    }
  }
  return [...after.values()];
}

const keyOf = ({ state, happened }: Configuration): string => `${happened} ${state}`;
