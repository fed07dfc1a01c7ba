/** Evaluates a job's pod failure policy and success policy. */

import type { Job, Pod } from '../objects.ts';
import { IndexSet } from './index-set.ts';

type FailurePolicy = NonNullable<NonNullable<Job['spec']>['podFailurePolicy']>;
type ExitCodes = NonNullable<FailurePolicy['rules'][number]['onExitCodes']>;
type ContainerStatus = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number];

export interface FailureVerdict {
  /** Whether it counts towards the back-off limit. */
  readonly counts: boolean;
  readonly action?: string;
  /** Why the whole job fails. */
  readonly failJob?: string;
}

const counted: FailureVerdict = { counts: true };

export function judgeFailure(policy: FailurePolicy | null | undefined, pod: Pod): FailureVerdict {
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const reason = matchedBy(rule, pod);
    if (reason === undefined) continue;
    const text = `${reason} matching ${rule.action} rule at index ${index}`;
    switch (rule.action) {
      case 'Ignore':
        return { counts: false, action: 'Ignore' };
      case 'FailIndex':
      case 'Count':
        return { counts: true, action: rule.action };
      case 'FailJob':
        return { counts: true, action: 'FailJob', failJob: text };
    }
  }
  return counted;
}

function matchedBy(
  { onExitCodes, onPodConditions }: FailurePolicy['rules'][number],
  pod: Pod,
): string | undefined {
  const { namespace, name } = pod.metadata;
  if (onExitCodes) {
    const status = [
      ...(pod.status?.containerStatuses ?? []),
      ...(pod.status?.initContainerStatuses ?? []),
    ].find((one) => matchesExitCode(one, onExitCodes));
    if (status === undefined) return undefined;
    return `Container ${status.name} for pod ${namespace}/${name} failed with exit code ${status.state?.terminated?.exitCode}`;
  }
  const condition = (pod.status?.conditions ?? []).find(({ type, status }) =>
    (onPodConditions ?? []).some((pattern) => pattern.type === type && pattern.status === status),
  );
  return condition === undefined ? undefined : `Pod ${namespace}/${name} has condition ${condition.type}`;
}

function matchesExitCode(
  { name, state }: ContainerStatus,
  { containerName, operator, values }: ExitCodes,
): boolean {
  const code = state?.terminated?.exitCode;
  if (code === undefined || code === 0) return false;
  if (containerName !== undefined && containerName !== null && containerName !== name) return false;
  return values.includes(code) === (operator === 'In');
}

/** Returns upstream's message for the success policy rule that is met. */
export function successMessage({ spec }: Job, succeeded: IndexSet): string | undefined {
  if (succeeded.size === 0) return undefined;
  for (const [index, rule] of (spec?.successPolicy?.rules ?? []).entries()) {
    const { succeededIndexes, succeededCount } = rule;
    const isMet = succeededIndexes
      ? coversRule(IndexSet.parse(succeededIndexes, spec?.completions ?? 0), succeeded, succeededCount)
      : succeededCount !== undefined && succeededCount !== null && succeeded.size >= succeededCount;
    if (isMet) return `Matched rules at index ${index}`;
  }
  return undefined;
}

function coversRule(required: IndexSet, succeeded: IndexSet, count: number | null | undefined): boolean {
  if (required.size === 0) return false;
  const both = required.overlap(succeeded);
  return both === required.size || (count !== undefined && count !== null && both >= count);
}
