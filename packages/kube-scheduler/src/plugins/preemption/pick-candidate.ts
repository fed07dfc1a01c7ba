import type { Victims } from '../../cache/victims.ts';

export interface Candidate {
  readonly nodeName: string;
  readonly found: Victims;
}

/** Returns the candidate whose victims cost the least; among equals the first. */
export function pickCandidate(candidates: readonly Candidate[]): Candidate | undefined {
  let best = candidates[0];
  for (const candidate of candidates)
    if (best !== undefined && costsLess(candidate.found.costs, best.found.costs)) best = candidate;
  return best;
}

function costsLess(costs: readonly number[], than: readonly number[]): boolean {
  const differing = costs.findIndex((cost, index) => cost !== than[index]);
  return differing >= 0 && costs[differing]! < than[differing]!;
}
