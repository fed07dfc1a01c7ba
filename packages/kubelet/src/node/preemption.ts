/**
 * Selects the pods to end when a critical one has no room on its node: as few as possible, lowest quality-of-service
 * class first.
 */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { qosClassOf } from '@coxswain/api/core/v1/pod/quality-of-service.ts';
import { isCritical } from '../pod/pod-source.ts';
import type { PodEnd } from '../pod/pod-worker-context.ts';
import { requestsOf, type Refusal, type Shortage } from './admit.ts';

/** An amount of a resource. */
type Need = Pick<Shortage, 'resource' | 'amount'>;

interface Candidate {
  readonly pod: Pod;
  /** The amounts that its end frees, in the units of a shortage. */
  readonly frees: ReadonlyMap<string, number>;
}

export interface Preemption {
  readonly pods: readonly Pod[];
  /** What would still be missing if all candidates ended; then none does. */
  readonly missing: readonly Need[];
}

/** Best-effort pods go before burstable ones, and those before guaranteed ones. */
export function preemptionFor(preemptor: Pod, pods: readonly Pod[], shortages: readonly Need[]): Preemption {
  const candidates = pods.filter((pod) => mayPreempt(preemptor, pod)).map(candidate);
  const missing = remaining(shortages, candidates);
  if (missing.length > 0) return { pods: [], missing };
  const [bestEffort, burstable, guaranteed] = (['BestEffort', 'Burstable', 'Guaranteed'] as const).map(
    (quality) => candidates.filter(({ pod }) => qosClassOf({ spec: pod.spec! }) === quality),
  ) as [Candidate[], Candidate[], Candidate[]];
  // For each class, what is still needed after all that the lower classes can free.
  const guaranteedGo = nearest(guaranteed, remaining(shortages, [...bestEffort, ...burstable]));
  const burstableGo = nearest(burstable, remaining(shortages, [...bestEffort, ...guaranteedGo]));
  const bestEffortGo = nearest(bestEffort, remaining(shortages, [...burstableGo, ...guaranteedGo]));
  return {
    pods: [...bestEffortGo, ...burstableGo, ...guaranteedGo].map(({ pod }) => pod),
    missing,
  };
}

/** A critical pod preempts non-critical ones; otherwise a higher priority preempts a lower one. */
const mayPreempt = (preemptor: Pod, pod: Pod): boolean =>
  (isCritical(preemptor) && !isCritical(pod)) || (preemptor.spec?.priority ?? 0) > (pod.spec?.priority ?? 0);

const candidate = (pod: Pod): Candidate => ({ pod, frees: new Map([...requestsOf(pod), ['pods', 1]]) });

const freedBy = ({ frees }: Candidate, resource: string): number => frees.get(resource) ?? 0;

function remaining(shortages: readonly Need[], gone: readonly Candidate[]): readonly Need[] {
  return shortages
    .map(({ resource, amount }) => ({
      resource,
      amount: gone.reduce((left, each) => left - freedBy(each, resource), amount),
    }))
    .filter(({ amount }) => amount > 0);
}

/**
 * Repeatedly picks the pod that frees closest to what is still missing; among equals, the one with the smaller
 * requests.
 */
function nearest(candidates: readonly Candidate[], shortages: readonly Need[]): readonly Candidate[] {
  const left = new Set(candidates);
  const chosen: Candidate[] = [];
  let short = shortages;
  while (short.length > 0 && left.size > 0) {
    const best = [...left].reduce((before, each) => {
      const difference = distance(short, each) - distance(short, before);
      return difference < 0 || (difference === 0 && asksForLess(each, before)) ? each : before;
    });
    left.delete(best);
    chosen.push(best);
    short = remaining(short, [best]);
  }
  return chosen;
}

/** Resources count equally, by the square of the fraction that would remain missing. */
const distance = (shortages: readonly Need[], each: Candidate): number =>
  shortages.reduce((sum, { resource, amount }) => {
    const missing = amount - freedBy(each, resource);
    return missing > 0 ? sum + (missing / amount) ** 2 : sum;
  }, 0);

function asksForLess(a: Candidate, b: Candidate): boolean {
  for (const resource of ['memory', 'cpu']) {
    const difference = freedBy(a, resource) - freedBy(b, resource);
    if (difference !== 0) return difference < 0;
  }
  return true;
}

/** How a preempted pod ends; it keeps its grace period. */
export const preemptedEnd = ({ spec }: Pod): PodEnd => ({
  ...preempted,
  graceMs: (spec?.terminationGracePeriodSeconds ?? 0) * 1000,
  isDisruption: true,
  disruptionMessage: 'Pod was preempted by Kubelet to accommodate a critical pod.',
});

export const preempted: Refusal = {
  reason: 'Preempting',
  message: 'Preempted in order to admit critical pod',
};

/** The rejection of a critical pod for which not enough can be preempted. */
export function noRoomToMake(missing: readonly Need[]): Refusal {
  const reported = missing.map(({ resource, amount }) => `(res: ${resource}, q: ${amount}), `).join('');
  return {
    reason: 'UnexpectedAdmissionError',
    message: `Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [${reported}]`,
  };
}
