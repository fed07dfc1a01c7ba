/** Validates HorizontalPodAutoscalers; those of v1 in the form of v2. */

import {
  apiVersionProblem,
  checkDnsLabel,
  checkPathSegment,
  compareQuantities,
  parseApiVersion,
  parseQuantity,
  zeroQuantity,
  type FieldError,
  type FieldPath,
  convertedText,
} from '@coxswain/apimachinery';
import type { ValidationContext } from '@coxswain/schema';
import { containerResourceName } from '../core/v1/pod/resource-validation.ts';
import {
  check,
  notNegative,
  notNegativeQuantity,
  notPositiveMessage,
  pathOf,
  Errors,
} from '../meta/checks.ts';
import type { StatusObject } from '../meta/kind-object.ts';
import { subdomainName, validateMeta, validateObjectMetaUpdate } from '../meta/object-meta-validation.ts';
import type {
  HorizontalPodAutoscalerSpec,
  HPAScalingPolicy,
  HPAScalingRules,
} from './v2/horizontal-pod-autoscaler-spec.ts';
import type { CrossVersionObjectReference, MetricSpec, MetricTarget } from './v2/metric-spec.ts';

interface ReplicasStatus {
  currentReplicas?: number;
  desiredReplicas?: number;
}

type Autoscaler = StatusObject<HorizontalPodAutoscalerSpec, ReplicasStatus>;

const specPath = pathOf('spec');
const rules = { namespaced: true, name: subdomainName };

export function validateAutoscaler(
  autoscaler: Autoscaler,
  old: Autoscaler | undefined,
  context: ValidationContext,
): FieldError[] {
  const errors = new Errors();
  validateMeta(autoscaler.metadata, old?.metadata, rules, errors);
  const { spec } = autoscaler;
  const lowest = context.enabled('HPAScaleToZero') || old?.spec.minReplicas === 0 ? 0 : 1;
  validateReplicas(spec, lowest, errors);
  const target = spec.scaleTargetRef;
  const stored = old?.spec.scaleTargetRef;
  const isKept =
    stored !== undefined && stored.apiVersion === target.apiVersion && stored.kind === target.kind;
  const ofTarget = isKept ? 'any' : target.kind === 'ReplicationController' ? 'known' : 'grouped';
  validateReference(target, ofTarget, specPath.child('scaleTargetRef'), errors);
  const isTolerant = old?.spec.metrics?.some(
    ({ type, object }) =>
      type === 'Object' && object != null && versionProblem(object.describedObject, 'known') !== undefined,
  );
  validateMetrics(spec, isTolerant ? 'any' : 'known', errors);
  for (const name of ['scaleUp', 'scaleDown'] as const) {
    const scaling = spec.behavior?.[name];
    if (scaling != null) validateScalingRules(scaling, specPath.child('behavior', name), errors);
  }
  return errors;
}

export function validateAutoscalerStatus(
  { metadata, status }: { metadata: Autoscaler['metadata']; status: ReplicasStatus },
  old: { metadata: Autoscaler['metadata'] },
): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  for (const name of ['currentReplicas', 'desiredReplicas'] as const) {
    notNegative(status[name], pathOf('status'), name, errors);
  }
  return errors;
}

function validateReplicas(spec: HorizontalPodAutoscalerSpec, lowest: number, errors: Errors): void {
  const { minReplicas, maxReplicas = 0 } = spec;
  const path = specPath.child('maxReplicas');
  if (minReplicas != null && minReplicas < lowest) {
    const detail = `must be greater than or equal to ${lowest}`;
    errors.invalid(specPath.child('minReplicas'), minReplicas, detail);
  }
  if (maxReplicas === 0) errors.required(path, 'must be set and greater than 0');
  else if (maxReplicas < 0) errors.invalid(path, maxReplicas, 'must be greater than or equal to 1');
  if (minReplicas != null && maxReplicas < minReplicas) {
    errors.invalid(path, maxReplicas, 'must be greater than or equal to `minReplicas`');
  }
}

/** The apiVersions that a reference may have: with a group, also of the core group, or none at all. */
type Allowed = 'grouped' | 'known' | 'any';

function validateReference(
  reference: CrossVersionObjectReference,
  allowed: Allowed,
  path: FieldPath,
  errors: Errors,
): void {
  for (const name of ['kind', 'name'] as const) {
    if (!reference[name]) errors.required(path.child(name));
    else check(reference[name], path.child(name), checkPathSegment, errors);
  }
  const problem = versionProblem(reference, allowed);
  if (problem !== undefined) {
    errors.invalid(path.child('apiVersion'), reference.apiVersion ?? '', problem);
  }
}

function versionProblem(
  { apiVersion = '' }: CrossVersionObjectReference,
  allowed: Allowed,
): string | undefined {
  if (allowed === 'any') return undefined;
  const problem = apiVersionProblem(apiVersion);
  if (problem !== undefined) return problem;
  return allowed === 'grouped' && parseApiVersion(apiVersion).group === ''
    ? 'apiVersion must specify API group'
    : undefined;
}

const windowMax = 3600;
const periodMax = 1800;

function validateScalingRules(scaling: HPAScalingRules, path: FieldPath, errors: Errors): void {
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [], tolerance } = scaling;
  const at = path.child('stabilizationWindowSeconds');
  if (window != null && window < 0) {
    errors.invalid(at, window, 'must be greater than or equal to zero');
  }
  if (window != null && window > windowMax) {
    errors.invalid(at, window, `must be less than or equal to ${windowMax}`);
  }
  const selections = ['Disabled', 'Max', 'Min'];
  if (selectPolicy != null && !selections.includes(selectPolicy)) {
    errors.notSupported(path.child('selectPolicy'), selectPolicy, selections);
  }
  if (policies.length === 0) {
    errors.required(path.child('policies'), 'must specify at least one Policy');
  }
  for (const [index, policy] of policies.entries()) {
    validateScalingPolicy(policy, path.child('policies').index(index), errors);
  }
  if (tolerance != null) notNegativeQuantity(tolerance, path.child('tolerance'), errors);
}

function validateScalingPolicy(policy: HPAScalingPolicy, path: FieldPath, errors: Errors): void {
  const { type = '', value = 0, periodSeconds = 0 } = policy;
  if (type !== 'Pods' && type !== 'Percent') {
    errors.notSupported(path.child('type'), type, ['Percent', 'Pods']);
  }
  if (value <= 0) errors.invalid(path.child('value'), value, notPositiveMessage);
  const at = path.child('periodSeconds');
  if (periodSeconds <= 0) errors.invalid(at, periodSeconds, notPositiveMessage);
  if (periodSeconds > periodMax) {
    errors.invalid(at, periodSeconds, `must be less than or equal to ${periodMax}`);
  }
}

/** Upstream's order of a metric's members. */
const members = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;
const memberOf: Readonly<Record<string, (typeof members)[number]>> = {
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
  External: 'external',
  ContainerResource: 'containerResource',
};
const metricTypes = Object.keys(memberOf).sort();

function validateMetrics(spec: HorizontalPodAutoscalerSpec, allowed: Allowed, errors: Errors): void {
  const metrics = spec.metrics ?? [];
  const path = specPath.child('metrics');
  for (const [index, metric] of metrics.entries()) {
    validateMetric(metric, allowed, path.index(index), errors);
  }
  if (spec.minReplicas !== 0) return;
  if (metrics.some(({ type }) => type === 'Object' || type === 'External')) return;
  errors.forbidden(
    path,
    'must specify at least one Object or External metric to support scaling to zero replicas',
  );
}

function validateMetric(metric: MetricSpec, allowed: Allowed, path: FieldPath, errors: Errors): void {
  const { type = '' } = metric;
  const expected = memberOf[type];
  const unsupported = (): void => {
    if (expected === undefined) errors.notSupported(path.child('type'), type, metricTypes);
  };
  if (type === '') errors.required(path.child('type'), 'must specify a metric source type');
  unsupported();
  const present = members.filter((name) => metric[name] != null);
  if (present.length > 0) validateSource(metric, present[0]!, allowed, path.child(present[0]!), errors);
  if (expected !== undefined && metric[expected] == null) {
    const detail = 'must populate information for the given metric source';
    errors.required(path.child(expected), detail);
  }
  unsupported();
  if (present.length === 1) return;
  for (const name of present.filter((member) => member !== expected)) {
    errors.forbidden(path.child(name), 'must populate the given metric source only');
  }
}

function validateSource(
  metric: MetricSpec,
  member: (typeof members)[number],
  allowed: Allowed,
  path: FieldPath,
  errors: Errors,
): void {
  const source = metric[member]!;
  const target = source.target ?? {};
  if (member === 'object') {
    validateReference(metric.object!.describedObject, allowed, path.child('describedObject'), errors);
  }
  if ('metric' in source) validateMetricName(source.metric?.name, path.child('metric'), errors);
  if ('name' in source || member === 'resource' || member === 'containerResource') {
    validateResource(source as { name?: string; container?: string }, member, path, errors);
  }
  const targetPath = path.child('target');
  validateTarget(target as MetricTarget, targetPath, errors);
  validateTargetChoice(target as MetricTarget, member, targetPath, errors);
}

function validateMetricName(name: string | undefined, path: FieldPath, errors: Errors): void {
  if (!name) errors.required(path.child('name'), 'must specify a metric name');
  else check(name, path.child('name'), checkPathSegment, errors);
}

function validateResource(
  { name, container }: { name?: string; container?: string },
  member: string,
  path: FieldPath,
  errors: Errors,
): void {
  if (!name) errors.required(path.child('name'), 'must specify a resource name');
  else if (member === 'containerResource') {
    containerResourceName(name, path.child('name'), errors, convertedText(name));
  }
  if (member !== 'containerResource') return;
  if (!container) errors.required(path.child('container'), 'must specify a container');
  else check(container, path.child('container'), checkDnsLabel, errors);
}

const isPositive = (text: string): boolean => compareQuantities(parseQuantity(text), zeroQuantity) > 0;

function validateTarget(target: MetricTarget, path: FieldPath, errors: Errors): void {
  const { type = '', averageUtilization } = target;
  if (type === '') errors.required(path.child('type'), 'must specify a metric target type');
  if (type !== 'Utilization' && type !== 'Value' && type !== 'AverageValue') {
    errors.invalid(path.child('type'), type, 'must be either Utilization, Value, or AverageValue');
  }
  for (const name of ['value', 'averageValue'] as const) {
    const quantity = target[name];
    if (quantity != null && !isPositive(quantity)) {
      errors.invalid(path.child(name), quantity, 'must be positive');
    }
  }
  if (averageUtilization != null && averageUtilization < 1) {
    errors.invalid(path.child('averageUtilization'), averageUtilization, 'must be greater than 0');
  }
}

function validateTargetChoice(
  { value, averageValue, averageUtilization }: MetricTarget,
  member: (typeof members)[number],
  path: FieldPath,
  errors: Errors,
): void {
  if (member === 'object') {
    if (value != null || averageValue != null) return;
    const detail = 'must set either a target value or averageValue';
    errors.required(path.child('averageValue'), detail);
  } else if (member === 'external') {
    if (value == null && averageValue == null) {
      const detail = 'must set either a target value for metric or a per-pod target';
      errors.required(path.child('averageValue'), detail);
    }
    if (value != null && averageValue != null) {
      const detail = 'may not set both a target value for metric and a per-pod target';
      errors.forbidden(path.child('value'), detail);
    }
  } else if (member === 'pods') {
    if (averageValue != null) return;
    errors.required(path.child('averageValue'), 'must specify a positive target averageValue');
  } else {
    if (averageUtilization == null && averageValue == null) {
      const detail = 'must set either a target raw value or a target utilization';
      errors.required(path.child('averageUtilization'), detail);
    }
    if (averageUtilization != null && averageValue != null) {
      const detail = 'may not set both a target raw value and a target utilization';
      errors.forbidden(path.child('averageValue'), detail);
    }
  }
}
