/** Which pods go when a critical one has no room on its node: as few as can be, the least guarded. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { qosClassOf } from '@coxswain/api/core/v1/pod/quality-of-service.ts';
import { isCritical } from '../pod/pod-source.ts';
import type { PodEnd } from '../pod/pod-worker-context.ts';
import { requestsOf, type Refusal, type Shortage } from './admit.ts';

/** Of a resource, so much. */
type Need = Pick<Shortage, 'resource' | 'amount'>;

interface Candidate {
  readonly pod: Pod;
  /** Of each resource what its end frees, in the units of a shortage. */
  readonly frees: ReadonlyMap<string, number>;
}

export interface Preemption {
  readonly pods: readonly Pod[];
  /** What would be missing still if all that may go went: then none goes. */
  readonly missing: readonly Need[];
}

/** Pods without a guarantee go before those with less than a whole one, and these before the guaranteed. */
export function preemptionFor(preemptor: Pod, pods: readonly Pod[], shortages: readonly Need[]): Preemption {
  const candidates = pods.filter((pod) => mayPreempt(preemptor, pod)).map(candidate);
  const missing = remaining(shortages, candidates);
  if (missing.length > 0) return { pods: [], missing };
  const [bestEffort, burstable, guaranteed] = (['BestEffort', 'Burstable', 'Guaranteed'] as const).map(
    (quality) => candidates.filter(({ pod }) => qosClassOf({ spec: pod.spec! }) === quality),
  ) as [Candidate[], Candidate[], Candidate[]];
  // Of each class what is still needed when the others have given what they must, or could.
  const guaranteedGo = nearest(guaranteed, remaining(shortages, [...bestEffort, ...burstable]));
  const burstableGo = nearest(burstable, remaining(shortages, [...bestEffort, ...guaranteedGo]));
  const bestEffortGo = nearest(bestEffort, remaining(shortages, [...burstableGo, ...guaranteedGo]));
  return {
    pods: [...bestEffortGo, ...burstableGo, ...guaranteedGo].map(({ pod }) => pod),
    missing,
  };
}

/** A critical pod, what is not; beyond that, the more important the less important. */
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

/** One after the other the pod that comes nearest to what is still short; of equals, the one that asked for less. */
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

/** Each resource counts the same, by the part that would still be missing, squared. */
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

/** How a pod ends that makes room; it may take the time that it asks for. */
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

/** Of a critical pod for which too few others may go. */
export function noRoomToMake(missing: readonly Need[]): Refusal {
  const told = missing.map(({ resource, amount }) => `(res: ${resource}, q: ${amount}), `).join('');
  return {
    reason: 'UnexpectedAdmissionError',
    message: `Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [${told}]`,
  };
}
