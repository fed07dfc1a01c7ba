/** Validates the policies that make a job fail or succeed before its pods are counted. */

import { checkQualifiedName, goQuote, omitted, type FieldPath } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { asSent, checkConverted, notNegative, type Errors } from '../../meta/checks.ts';
import { countIndexes } from './job-indexes.ts';
import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
  SuccessPolicyRule,
} from './job-spec.ts';

const rulesMax = 20;
const patternsMax = 20;
const exitCodesMax = 255;
const succeededIndexesLengthMax = 64 * 1024;

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const operators = ['In', 'NotIn'];
const statuses = ['False', 'True', 'Unknown'];

const valid = (values: readonly string[]): string => `valid values: [${values.map(goQuote).join(' ')}]`;

export function validateFailurePolicy(spec: JobSpec, path: FieldPath, errors: Errors): void {
  const rules = spec.podFailurePolicy!.rules ?? [];
  const rulesPath = path.child('rules');
  if (rules.length > rulesMax) errors.tooMany(rulesPath, rules.length, rulesMax);
  const { containers, initContainers } = spec.template.spec;
  const names = [...(containers ?? []), ...(initContainers ?? [])].map((container) => container.name);
  for (const [index, rule] of rules.entries()) {
    validateFailureRule(rule, spec, names, rulesPath.index(index), errors);
  }
}

function validateFailureRule(
  rule: PodFailurePolicyRule,
  spec: JobSpec,
  containers: readonly string[],
  path: FieldPath,
  errors: Errors,
): void {
  const at = path.child('action');
  const { onExitCodes, onPodConditions = [] } = rule;
  if (!rule.action) errors.required(at, valid(actions));
  else if (rule.action === 'FailIndex') {
    if (spec.backoffLimitPerIndex == null) {
      errors.invalid(at, rule.action, 'requires the backoffLimitPerIndex to be set');
    }
  } else if (!actions.includes(rule.action)) errors.notSupported(at, rule.action, actions);
  if (onExitCodes != null) validateExitCodes(onExitCodes, containers, path.child('onExitCodes'), errors);
  if (onPodConditions.length > 0) validatePatterns(onPodConditions, path.child('onPodConditions'), errors);
  if (onExitCodes != null && onPodConditions.length > 0) {
    errors.invalid(path, omitted, 'specifying both OnExitCodes and OnPodConditions is not supported');
  }
  if (onExitCodes == null && onPodConditions.length === 0) {
    errors.invalid(path, omitted, 'specifying one of OnExitCodes and OnPodConditions is required');
  }
}

function validatePatterns(
  patterns: readonly PodFailurePolicyOnPodConditionsPattern[],
  path: FieldPath,
  errors: Errors,
): void {
  if (patterns.length > patternsMax) errors.tooMany(path, patterns.length, patternsMax);
  for (const [index, { type, status }] of patterns.entries()) {
    const at = path.index(index);
    checkConverted(type, at.child('type'), checkQualifiedName, errors);
    if (!status) errors.required(at.child('status'), valid(statuses));
    else if (!statuses.includes(status)) {
      errors.notSupported(at.child('status'), status, statuses);
    }
  }
}

function validateExitCodes(
  requirement: PodFailurePolicyOnExitCodesRequirement,
  containers: readonly string[],
  path: FieldPath,
  errors: Errors,
): void {
  const { operator, containerName } = requirement;
  if (!operator) errors.required(path.child('operator'), valid(operators));
  else if (!operators.includes(operator)) {
    errors.notSupported(path.child('operator'), operator, operators);
  }
  if (containerName != null && !containers.includes(containerName)) {
    errors.invalid(
      path.child('containerName'),
      containerName,
      'must be one of the container or initContainer names in the pod template',
    );
  }
  const at = path.child('values');
  const values = requirement.values ?? [];
  if (values.length === 0) {
    errors.invalid(at, asSent(requirement, 'values', []), 'at least one value is required');
  }
  if (values.length > exitCodesMax) errors.tooMany(at, values.length, exitCodesMax);
  const seen = new Set<number>();
  for (const [index, value] of values.entries()) {
    if (operator === 'In' && value === 0) {
      errors.invalid(at.index(index), value, 'must not be 0 for the In operator');
    }
    if (seen.has(value)) errors.duplicate(at.index(index), value);
    seen.add(value);
  }
  if (values.some((value, index) => index > 0 && values[index - 1]! > value)) {
    errors.invalid(at, values, 'must be ordered');
  }
}

export function validateSuccessPolicy(spec: JobSpec, path: FieldPath, errors: Errors): void {
  const rules = spec.successPolicy!.rules ?? [];
  const rulesPath = path.child('rules');
  if (rules.length === 0) {
    errors.required(rulesPath, 'at least one rules must be specified when the successPolicy is specified');
  }
  if (rules.length > rulesMax) errors.tooMany(rulesPath, rules.length, rulesMax);
  for (const [index, rule] of rules.entries()) {
    validateSuccessRule(rule, spec.completions ?? 0, rulesPath.index(index), errors);
  }
}

function validateSuccessRule(
  { succeededIndexes, succeededCount }: SuccessPolicyRule,
  completions: number,
  path: FieldPath,
  errors: Errors,
): void {
  if (succeededCount == null && succeededIndexes == null) {
    errors.required(path, 'at least one of succeededCount or succeededIndexes must be specified');
  }
  let indexes = 0;
  if (succeededIndexes != null) {
    const at = path.child('succeededIndexes');
    if (succeededIndexes.length > succeededIndexesLengthMax) {
      errors.tooLong(at, succeededIndexesLengthMax);
    }
    try {
      indexes = countIndexes(succeededIndexes, completions);
    } catch (error) {
      const reason = messageOf(error);
      errors.invalid(at, succeededIndexes, `error parsing succeededIndexes: ${reason}`);
    }
  }
  if (succeededCount == null) return;
  notNegative(succeededCount, path, 'succeededCount', errors);
  const over = (limit: number, what: string): void => {
    if (succeededCount <= limit) return;
    errors.invalid(
      path.child('succeededCount'),
      succeededCount,
      `must be less than or equal to ${limit} (the number of ${what})`,
    );
  };
  over(completions, 'specified completions');
  if (succeededIndexes != null) over(indexes, 'indexes in the specified succeededIndexes field');
}
