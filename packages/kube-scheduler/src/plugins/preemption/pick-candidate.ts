import { startMsOf } from './select-victims.ts';
import type { Victims } from './select-victims.ts';

export interface Candidate extends Victims {
  readonly nodeName: string;
}

/** Smaller is better; each rule only decides where those before it leave a tie. */
const rules: readonly ((candidate: Candidate) => number)[] = [
  ({ budgetViolations }) => budgetViolations,
  ({ victims }) => victims[0]!.priority,
  // Shifted, so that more pods of negative priority do not look better than fewer.
  ({ victims }) => victims.reduce((sum, { priority }) => sum + priority + 2 ** 31, 0),
  ({ victims }) => victims.length,
  // The most important victims should have run for the shortest time.
  ({ victims }) =>
    -Math.min(
      ...victims
        .filter(({ priority }) => priority === victims[0]!.priority)
        .map((victim) => startMsOf(victim)),
    ),
];

export function pickCandidate(candidates: readonly Candidate[]): Candidate | undefined {
  let left = candidates;
  for (const rule of rules) {
    if (left.length < 2) break;
    const best = Math.min(...left.map(rule));
    left = left.filter((candidate) => rule(candidate) === best);
  }
  return left[0];
}
