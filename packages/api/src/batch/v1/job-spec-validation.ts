/** Validates the part of a job that CronJobs' templates have as well. */

import type { FieldPath } from '@coxswain/apimachinery';
import { validatePodTemplate } from '../../core/v1/pod/pod-template-validation.ts';
import type { PodOptions } from '../../core/v1/pod/pod-options.ts';
import { notNegative, type Errors } from '../../meta/checks.ts';
import { validateDomainPrefixedPath } from '../../meta/domain-prefixed-path.ts';
import { goStruct } from '../../meta/go-struct.ts';
import { validateFailurePolicy, validateSuccessPolicy } from './job-policy-validation.ts';
import { SuccessPolicy, type JobSpec } from './job-spec.ts';

const indexedParallelismMax = 100_000;
const failedIndexesMax = 100_000;
const manyCompletions = 100_000;
const parallelismMaxOfMany = 10_000;
const failedIndexesMaxOfMany = 10_000;
const managedByLengthMax = 63;

const counts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const;

export function validateJobSpec(spec: JobSpec, path: FieldPath, options: PodOptions, errors: Errors): void {
  for (const name of counts) notNegative(spec[name], path, name, errors);
  if (spec.maxFailedIndexes != null && spec.backoffLimitPerIndex == null) {
    errors.required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified');
  }
  if (spec.managedBy != null) {
    const at = path.child('managedBy');
    validateDomainPrefixedPath(spec.managedBy, at, errors);
    if (spec.managedBy.length > managedByLengthMax) errors.tooLong(at, managedByLengthMax);
  }
  validateCompletionMode(spec, path, errors);
  const isIndexed = spec.completionMode === 'Indexed';
  if (spec.podFailurePolicy != null) validateFailurePolicy(spec, path.child('podFailurePolicy'), errors);
  if (spec.successPolicy != null) {
    const at = path.child('successPolicy');
    if (isIndexed) validateSuccessPolicy(spec, at, errors);
    else {
      const printed = goStruct(SuccessPolicy, spec.successPolicy);
      errors.invalid(at, printed, 'requires indexed completion mode');
    }
  }
  if (spec.podReplacementPolicy != null) {
    const allowed = spec.podFailurePolicy == null ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
    if (!allowed.includes(spec.podReplacementPolicy)) {
      errors.notSupported(path.child('podReplacementPolicy'), spec.podReplacementPolicy, allowed);
    }
  }
  validatePodTemplate(spec.template, path.child('template'), options, errors);
  validateRestartPolicy(spec, path.child('template', 'spec', 'restartPolicy'), errors);
}

function validateCompletionMode(spec: JobSpec, path: FieldPath, errors: Errors): void {
  const { completionMode: mode, maxFailedIndexes, completions } = spec;
  if (mode != null && mode !== 'NonIndexed' && mode !== 'Indexed') {
    errors.notSupported(path.child('completionMode'), mode, ['NonIndexed', 'Indexed']);
  }
  if (mode === 'Indexed') {
    if (completions == null) {
      errors.required(path.child('completions'), 'when completion mode is Indexed');
    }
    if ((spec.parallelism ?? 0) > indexedParallelismMax) {
      const detail = `must be less than or equal to ${indexedParallelismMax} when completion mode is Indexed`;
      errors.invalid(path.child('parallelism'), spec.parallelism, detail);
    }
    if (completions != null && (maxFailedIndexes ?? -1) > completions) {
      const detail = 'must be less than or equal to completions';
      errors.invalid(path.child('maxFailedIndexes'), maxFailedIndexes, detail);
    }
    if ((maxFailedIndexes ?? 0) > failedIndexesMax) {
      const detail = `must be less than or equal to ${failedIndexesMax}`;
      errors.invalid(path.child('maxFailedIndexes'), maxFailedIndexes, detail);
    }
    if ((completions ?? 0) > manyCompletions && spec.backoffLimitPerIndex != null) {
      validateManyCompletions(spec, path, errors);
    }
  } else if (mode == null || mode === 'NonIndexed') {
    for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const) {
      if (spec[name] == null) continue;
      errors.invalid(path.child(name), spec[name], 'requires indexed completion mode');
    }
  }
}

function validateManyCompletions(spec: JobSpec, path: FieldPath, errors: Errors): void {
  if (spec.maxFailedIndexes == null) {
    const detail = `must be specified when completions is above ${manyCompletions}`;
    errors.required(path.child('maxFailedIndexes'), detail);
  }
  const limits = { parallelism: parallelismMaxOfMany, maxFailedIndexes: failedIndexesMaxOfMany };
  for (const name of ['parallelism', 'maxFailedIndexes'] as const) {
    if ((spec[name] ?? 0) <= limits[name]) continue;
    errors.invalid(
      path.child(name),
      spec[name],
      `must be less than or equal to ${limits[name]} when completions are above ${manyCompletions} and used with backoff limit per index`,
    );
  }
}

function validateRestartPolicy(spec: JobSpec, path: FieldPath, errors: Errors): void {
  const policy = spec.template.spec.restartPolicy;
  if (!policy || policy === 'Always') {
    errors.required(path, 'valid values: "OnFailure", "Never"');
  } else if (policy !== 'OnFailure' && policy !== 'Never') {
    errors.notSupported(path, policy, ['OnFailure', 'Never']);
  } else if (spec.podFailurePolicy != null && policy !== 'Never') {
    errors.invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified');
  }
}
