/** Takes one disruption out of a budget, or explains why none is left. */
import { forbidden, tooManyRequests, type StatusError } from '@coxswain/apimachinery';
import type { PodDisruptionBudget } from '@coxswain/api/policy/v1/pod-disruption-budget.ts';

/** The maximum number of evictions that the budget's controller has not confirmed; further ones are refused. */
const unconfirmedMax = 2000;

const violation = "Cannot evict pod as it would violate the pod's disruption budget.";
const resource = { group: 'policy', resource: 'poddisruptionbudget' };

/** The budget after the disruption. @throws StatusError when none is left */
export function disrupted(budget: PodDisruptionBudget, podName: string, now: string): PodDisruptionBudget {
  const { metadata, status } = budget;
  const name = metadata.name!;
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    throw stillProcessed(name);
  }
  if (status.disruptionsAllowed < 0) throw forbidden(resource, name, 'pdb disruptions allowed is negative');
  if (Object.keys(status.disruptedPods ?? {}).length > unconfirmedMax) {
    throw forbidden(
      resource,
      name,
      'DisruptedPods map too big - too many evictions not confirmed by PDB controller',
    );
  }
  if (status.disruptionsAllowed === 0) throw withCause(tooManyRequests(violation), refusal(budget));
  const disruptionsAllowed = status.disruptionsAllowed - 1;
  return {
    ...budget,
    status: {
      ...status,
      disruptionsAllowed,
      disruptedPods: { ...status.disruptedPods, [podName]: now },
      ...(disruptionsAllowed === 0 ? { conditions: exhausted(budget, now) } : {}),
    },
  };
}

/** Another request is updating the budget or the pod. */
export const stillProcessed = (budgetName: string): StatusError =>
  withCause(
    tooManyRequests(violation, 10),
    `The disruption budget ${budgetName} is still being processed by the server.`,
  );

function refusal({ metadata, status }: PodDisruptionBudget): string {
  const subject = `The disruption budget ${metadata.name}`;
  const condition = status.conditions?.find(({ type }) => type === 'DisruptionAllowed');
  const says = condition?.status === 'False' && condition.message !== '' ? condition : undefined;
  if (says?.reason === 'SyncFailed') {
    return `${subject} does not allow evicting pods currently because it failed sync: ${says.message}`;
  }
  if (status.currentHealthy <= status.desiredHealthy) {
    return `${subject} needs ${status.desiredHealthy} healthy pods and has ${status.currentHealthy} currently`;
  }
  return says === undefined
    ? `${subject} does not allow evicting pods currently`
    : `${subject} does not allow evicting pods currently (${says.reason}): ${says.message}`;
}

function exhausted({ metadata, status }: PodDisruptionBudget, now: string) {
  const conditions = status.conditions ?? [];
  const old = conditions.find(({ type }) => type === 'DisruptionAllowed');
  const next = {
    type: 'DisruptionAllowed',
    status: 'False' as const,
    observedGeneration: status.observedGeneration ?? metadata.generation ?? 0,
    lastTransitionTime: old?.status === 'False' ? old.lastTransitionTime : now,
    reason: 'InsufficientPods',
    message: '',
  };
  return old === undefined ? [...conditions, next] : conditions.map((one) => (one === old ? next : one));
}

function withCause(error: StatusError, message: string): StatusError {
  error.status.details = { ...error.status.details, causes: [{ reason: 'DisruptionBudget', message }] };
  return error;
}
