import {
  checkDnsLabel,
  invalidError,
  requiredError,
  validateLabelSelector,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { goEqual, type Type, type ValidationContext } from '@coxswain/schema';
import { selectorOf, specPath, workloadRules } from '../../apps/workload-validation.ts';
import { printedPodSpec, printedPodTemplate } from '../../core/v1/pod/pod-spec-diff.ts';
import { PodSpec } from '../../core/v1/pod-spec.ts';
import { PodTemplateSpec } from '../../core/v1/pod-template-spec.ts';
import { podOptions } from '../../core/v1/pod/pod-validation-options.ts';
import type { PodOptions } from '../../core/v1/pod/pod-options.ts';
import { unmatchedTemplate } from '../../core/v1/replication-controller-validation.ts';
import { immutable, immutableMessage, inKeyOrder, pathOf, Errors } from '../../meta/checks.ts';
import { goStruct } from '../../meta/go-struct.ts';
import type { StatusObject } from '../../meta/kind-object.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../../meta/object-meta-validation.ts';
import { PodFailurePolicy, SuccessPolicy, type JobSpec } from './job-spec.ts';
import { validateJobSpec } from './job-spec-validation.ts';

export type JobObject = StatusObject<JobSpec, JobStatusShape>;
/** A stand-in for JobStatus, which cannot be imported here. */
export interface JobStatusShape {
  conditions?: { type: string; status: string }[];
  startTime?: string | null;
  completionTime?: string | null;
  active?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: { succeeded?: string[]; failed?: string[] } | null;
  ready?: number;
}

const uidLabels = ['controller-uid', 'batch.kubernetes.io/controller-uid'] as const;
const nameLabels = ['job-name', 'batch.kubernetes.io/job-name'] as const;

/** An update is first validated as a whole, so most errors occur twice. */
export function validateJob(
  job: JobObject,
  old: JobObject | undefined,
  context: ValidationContext,
): FieldError[] {
  const errors = new Errors();
  const options = podOptions(false, context, old?.spec.template);
  const labels = old?.spec.template.metadata?.labels;
  const requirePrefixed =
    old === undefined || (labels?.[uidLabels[1]] !== undefined && labels[nameLabels[1]] !== undefined);
  validateObjectMeta(job.metadata, workloadRules, errors);
  validateGeneratedSelector(job, requirePrefixed, errors);
  validateSelectedSpec(job.spec, options, errors);
  validateHostnames(job, errors);
  if (old === undefined) return errors;
  validateObjectMetaUpdate(job.metadata, old.metadata, errors);
  validateSelectedSpec(job.spec, options, errors);
  validateSpecUpdate(job, old, context, errors);
  return errors;
}

function validateGeneratedSelector(job: JobObject, requirePrefixed: boolean, errors: Errors): void {
  const { spec, metadata } = job;
  if (spec.manualSelector || spec.selector == null) return;
  const uid = metadata.uid ?? '';
  if (uid === '') errors.required(pathOf('metadata', 'uid'));
  const expected: Record<string, string> = {};
  for (const at of requirePrefixed ? ([0, 1] as const) : ([0] as const)) {
    for (const [label, value] of [
      [uidLabels[at], uid],
      [nameLabels[at], metadata.name ?? ''],
    ] as const) {
      validateHasLabel(spec.template.metadata?.labels, label, value, errors);
      expected[label] = value;
    }
  }
  if (selectorOf(spec.selector)?.matches(expected) === false) {
    errors.invalid(specPath.child('selector'), spec.selector, '`selector` not auto-generated');
  }
}

function validateHasLabel(
  labels: Record<string, string> | undefined,
  label: string,
  value: string,
  errors: Errors,
): void {
  if (labels?.[label] === value) return;
  const path = specPath.child('template', 'metadata', 'labels').key(label);
  const detail = `must be '${value}'`;
  errors.push(
    labels?.[label] === undefined
      ? requiredError(path, detail)
      : invalidError(path, inKeyOrder(labels), detail),
  );
}

function validateSelectedSpec(spec: JobSpec, options: PodOptions, errors: Errors): void {
  validateJobSpec(spec, specPath, options, errors);
  const path = specPath.child('selector');
  if (spec.selector == null) errors.required(path);
  else {
    errors.push(
      ...validateLabelSelector(spec.selector, path, {
        allowInvalidValues: options.invalidLabelValuesInSelectors,
      }),
    );
  }
  if (selectorOf(spec.selector)?.matches(spec.template.metadata?.labels) === false) {
    errors.push(unmatchedTemplate(spec.template, specPath.child('template')));
  }
}

/** In an indexed job, pods' host names are the job's name followed by the index. */
function validateHostnames({ spec, metadata }: JobObject, errors: Errors): void {
  if (spec.completionMode !== 'Indexed' || (spec.completions ?? 0) <= 0) return;
  const { name = '' } = metadata;
  const longest = `${name}-${spec.completions! - 1}`;
  if (checkDnsLabel(longest).length === 0) return;
  errors.invalid(
    pathOf('metadata', 'name'),
    name,
    `will not able to create pod with invalid DNS label: ${longest}`,
  );
}

function validateSpecUpdate(
  { spec }: JobObject,
  old: JobObject,
  context: ValidationContext,
  errors: Errors,
): void {
  validateCompletions(spec, old.spec, errors);
  immutable(spec.selector, old.spec.selector, specPath.child('selector'), errors);
  validateTemplateUpdate(spec.template, old, context, errors);
  immutable(spec.completionMode, old.spec.completionMode, specPath.child('completionMode'), errors);
  immutableStruct(
    PodFailurePolicy,
    spec.podFailurePolicy,
    old.spec.podFailurePolicy,
    specPath.child('podFailurePolicy'),
    errors,
  );
  for (const name of ['backoffLimitPerIndex', 'managedBy'] as const) {
    immutable(spec[name], old.spec[name], specPath.child(name), errors);
  }
  immutableStruct(
    SuccessPolicy,
    spec.successPolicy,
    old.spec.successPolicy,
    specPath.child('successPolicy'),
    errors,
  );
}

function immutableStruct(type: Type, value: unknown, old: unknown, path: FieldPath, errors: Errors): void {
  if ((value == null) === (old == null) && goEqual(type, value, old, 'semantic')) return;
  errors.invalid(path, value == null ? null : goStruct(type, value), immutableMessage);
}

function validateCompletions(spec: JobSpec, old: JobSpec, errors: Errors): void {
  const path = specPath.child('completions');
  if (spec.completionMode !== 'Indexed') immutable(spec.completions, old.completions, path, errors);
  else if (
    spec.completions != null &&
    spec.completions !== old.completions &&
    spec.completions !== spec.parallelism
  ) {
    const detail = 'can only be modified in tandem with spec.parallelism';
    errors.invalid(path, spec.completions, detail);
  }
}

/** The scheduling and the resources of a suspended job may still be changed. */
function validateTemplateUpdate(
  template: PodTemplateSpec,
  old: JobObject,
  context: ValidationContext,
  errors: Errors,
): void {
  const path = specPath.child('template');
  const suspended = old.spec.suspend === true;
  const { status } = old;
  const notStarted = status?.startTime == null;
  const isSuspendedInStatus = isTrue(status?.conditions, 'Suspended');
  const isIdle = suspended && (notStarted || isSuspendedInStatus) && (status?.active ?? 0) === 0;
  const isPlaceMutable = context.enabled('MutableSchedulingDirectivesForSuspendedJobs')
    ? isIdle
    : suspended && notStarted;
  const stored = isPlaceMutable ? withPlaceOf(template, old.spec.template) : old.spec.template;
  if (isIdle && context.enabled('MutablePodResourcesForSuspendedJobs')) {
    const allowed = withResourcesOf(template.spec, stored.spec);
    if (goEqual(PodSpec, template.spec, allowed, 'semantic')) return;
    const specAt = specPath.child('template.spec');
    errors.invalid(specAt, printedPodSpec(template.spec), immutableMessage);
  } else if (!goEqual(PodTemplateSpec, template, stored, 'semantic')) {
    errors.invalid(path, printedPodTemplate(template), immutableMessage);
  }
}

export const isTrue = (conditions: JobStatusShape['conditions'], type: string): boolean =>
  conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;

function withPlaceOf(template: PodTemplateSpec, old: PodTemplateSpec): PodTemplateSpec {
  const affinity = { ...old.spec.affinity };
  delete affinity.nodeAffinity;
  if (template.spec.affinity?.nodeAffinity != null)
    affinity.nodeAffinity = template.spec.affinity.nodeAffinity;
  const spec = { ...old.spec };
  if (template.spec.affinity == null && Object.keys(affinity).length === 0) delete spec.affinity;
  else spec.affinity = affinity;
  for (const name of ['nodeSelector', 'tolerations', 'schedulingGates'] as const) {
    spec[name] = template.spec[name] as never;
  }
  const metadata = {
    ...old.metadata,
    annotations: template.metadata?.annotations,
    labels: template.metadata?.labels,
  };
  return { metadata: metadata as PodTemplateSpec['metadata'], spec };
}

function withResourcesOf(spec: PodSpec, old: PodSpec): PodSpec {
  const copied = { ...old };
  for (const name of ['containers', 'initContainers'] as const) {
    const containers = spec[name] ?? [];
    const stored = old[name];
    if (stored == null || containers.length !== stored.length) continue;
    copied[name] = stored.map((container, index) =>
      container.name === containers[index]!.name
        ? { ...container, resources: containers[index]!.resources as never }
        : container,
    );
  }
  return copied;
}
