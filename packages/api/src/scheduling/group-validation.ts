/** Validates Workloads and PodGroups, whose rules upstream declares with their fields. */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkPathSegment,
  checkQualifiedName,
  invalidError,
  type FieldError,
  type FieldPath,
  type NameCheck,
} from '@coxswain/apimachinery';
import { goEqual, type StructType } from '@coxswain/schema';
import { checkMember, immutableMessage, pathOf, Errors } from '../meta/checks.ts';
import { validateConditions } from '../meta/condition-validation.ts';
import type { SpecObject, StatusObject } from '../meta/kind-object.ts';
import { subdomainName, validateMeta, validateObjectMetaUpdate } from '../meta/object-meta-validation.ts';
import type { PodGroupResourceClaim } from './v1alpha2/pod-group-resource-claim.ts';
import type { PodGroupSchedulingConstraints } from './v1alpha2/pod-group-scheduling-constraints.ts';
import type { PodGroupSchedulingPolicy } from './v1alpha2/pod-group-scheduling-policy.ts';
import { PodGroupSpec, type PodGroupStatus } from './v1alpha2/pod-group-spec.ts';
import { WorkloadSpec, type PodGroupTemplate } from './v1alpha2/workload-spec.ts';

type Workload = SpecObject<WorkloadSpec>;
type PodGroup = StatusObject<PodGroupSpec, PodGroupStatus>;

const specPath = pathOf('spec');
const metaRules = { namespaced: true, name: subdomainName };
const templatesMax = 8;
const claimsMax = 4;
const topologyMax = 1;
const priorityMax = 1_000_000_000;
const disruptionModes = ['Pod', 'PodGroup'];

export function validateWorkload({ metadata, spec }: Workload, old: Workload | undefined): FieldError[] {
  const errors = new Errors();
  validateMeta(metadata, old?.metadata, metaRules, errors);
  if (old !== undefined) validateKept(WorkloadSpec, spec, old.spec, errors);
  else {
    const { controllerRef: owner } = spec;
    const path = specPath.child('controllerRef');
    if (owner != null) {
      if (owner.apiGroup) checkMember(owner.apiGroup, path, 'apiGroup', checkDnsSubdomain, errors);
      requiredName(owner.kind, path, 'kind', checkPathSegment, errors);
      requiredName(owner.name, path, 'name', checkPathSegment, errors);
    }
    validateTemplates(spec.podGroupTemplates ?? [], specPath.child('podGroupTemplates'), errors);
  }
  return errors;
}

export function validatePodGroup({ metadata, spec }: PodGroup, old: PodGroup | undefined): FieldError[] {
  const errors = new Errors();
  validateMeta(metadata, old?.metadata, metaRules, errors);
  if (old !== undefined) validateKept(PodGroupSpec, spec, old.spec, errors);
  else {
    const { podGroupTemplateRef: reference } = spec;
    const path = specPath.child('podGroupTemplateRef');
    if (reference != null) {
      oneMember(reference, ['workload'], path, errors);
      if (reference.workload != null) {
        const at = path.child('workload');
        requiredName(reference.workload.workloadName, at, 'workloadName', checkDnsSubdomain, errors);
        const template = reference.workload.podGroupTemplateName;
        requiredName(template, at, 'podGroupTemplateName', checkDnsLabel, errors);
      }
    }
    validateGroupSettings(spec, specPath, errors);
  }
  return errors;
}

export function validatePodGroupStatus({ metadata, spec, status }: PodGroup, old: PodGroup): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  validateConditions(status.conditions, pathOf('status', 'conditions'), errors);
  const statuses = status.resourceClaimStatuses ?? [];
  const path = pathOf('status', 'resourceClaimStatuses');
  const claims = new Set(spec.resourceClaims?.map(({ name }) => name));
  for (const [index, { name }] of statuses.entries()) {
    if (claims.has(name)) continue;
    const detail = 'must match the name of an entry in `spec.resourceClaims`';
    errors.invalid(path.index(index).child('name'), name, detail);
  }
  validateNamedList(statuses, claimsMax, path, errors);
  for (const [index, { resourceClaimName: claim }] of statuses.entries()) {
    if (claim != null) {
      checkMember(claim, path.index(index), 'resourceClaimName', checkDnsSubdomain, errors);
    }
  }
  return errors;
}

/** The spec is immutable; the error only names the changed member. */
function validateKept<T extends object>(type: StructType, spec: T, old: T, errors: Errors): void {
  for (const [name, field] of Object.entries(type.fields)) {
    const [now, before] = [spec[name as keyof T], old[name as keyof T]];
    const isPointer = field.presence === 'pointer' || field.presence === 'nullable';
    const appeared = isPointer && (now == null) !== (before == null);
    if (!appeared && goEqual(field.type, now, before, 'semantic')) continue;
    errors.invalid(specPath.child(name), null, immutableMessage);
  }
}

function validateTemplates(templates: readonly PodGroupTemplate[], path: FieldPath, errors: Errors): void {
  if (templates.length === 0) errors.required(path);
  if (!validateNamedList(templates, templatesMax, path, errors)) return;
  for (const [index, template] of templates.entries()) {
    requiredName(template.name, path.index(index), 'name', checkDnsLabel, errors);
    validateGroupSettings(template, path.index(index), errors);
  }
}

/** Returns whether the list is short enough for its items to be validated. */
function validateNamedList(
  items: readonly { readonly name: string }[],
  countMax: number,
  path: FieldPath,
  errors: Errors,
): boolean {
  if (items.length > countMax) {
    errors.tooMany(path, items.length, countMax);
    return false;
  }
  for (const [index, item] of items.entries()) {
    const isFirst = items.findIndex(({ name }) => name === item.name) === index;
    if (!isFirst) errors.duplicate(path.index(index), item);
  }
  return true;
}

interface GroupSettings {
  readonly schedulingPolicy: PodGroupSchedulingPolicy;
  readonly schedulingConstraints?: PodGroupSchedulingConstraints | null;
  readonly resourceClaims?: readonly PodGroupResourceClaim[];
  readonly disruptionMode?: string;
  readonly priorityClassName?: string;
  readonly priority?: number;
}

/** Common to a group and its template. */
function validateGroupSettings(settings: GroupSettings, path: FieldPath, errors: Errors): void {
  const {
    schedulingPolicy: policy,
    schedulingConstraints,
    disruptionMode,
    priorityClassName,
    priority,
  } = settings;
  const policyPath = path.child('schedulingPolicy');
  oneMember(policy, ['basic', 'gang'], policyPath, errors);
  if (policy.gang != null) validateCount(policy.gang.minCount, policyPath.child('gang', 'minCount'), errors);
  if (schedulingConstraints != null) {
    validateTopology(schedulingConstraints, path.child('schedulingConstraints', 'topology'), errors);
  }
  validateClaims(settings.resourceClaims ?? [], path.child('resourceClaims'), errors);
  if (disruptionMode != null && !disruptionModes.includes(disruptionMode)) {
    errors.notSupported(path.child('disruptionMode'), disruptionMode, disruptionModes);
  }
  if (priorityClassName) checkMember(priorityClassName, path, 'priorityClassName', checkDnsSubdomain, errors);
  if (priority != null && priority > priorityMax) {
    const detail = `must be less than or equal to ${priorityMax}`;
    errors.invalid(path.child('priority'), priority, detail);
  }
}

function validateCount(count: number, path: FieldPath, errors: Errors): void {
  if (count === 0) errors.required(path);
  else if (count < 1) errors.invalid(path, count, 'must be greater than or equal to 1');
}

function validateTopology(
  { topology }: PodGroupSchedulingConstraints,
  path: FieldPath,
  errors: Errors,
): void {
  const count = topology?.length ?? 0;
  if (count > topologyMax) {
    errors.tooMany(path, count, topologyMax);
    return;
  }
  for (const [index, { key }] of (topology ?? []).entries()) {
    requiredName(key, path.index(index), 'key', checkQualifiedName, errors);
  }
}

function validateClaims(claims: readonly PodGroupResourceClaim[], path: FieldPath, errors: Errors): void {
  if (!validateNamedList(claims, claimsMax, path, errors)) return;
  const sources = ['resourceClaimName', 'resourceClaimTemplateName'] as const;
  for (const [index, claim] of claims.entries()) {
    const at = path.index(index);
    oneMember(claim, sources, at, errors);
    requiredName(claim.name, at, 'name', checkDnsLabel, errors);
    for (const source of sources) {
      const name = claim[source];
      if (name != null) checkMember(name, at, source, checkDnsSubdomain, errors);
    }
  }
}

function requiredName(value: string, parent: FieldPath, name: string, test: NameCheck, errors: Errors): void {
  if (value) checkMember(value, parent, name, test, errors);
  else errors.required(parent.child(name));
}

/** Exactly one member of a union must be set. */
function oneMember(union: object, members: readonly string[], path: FieldPath, errors: Errors): void {
  const present = members.filter((name) => (union as Readonly<Record<string, unknown>>)[name] != null);
  if (present.length === 1) return;
  const names = members.map((name) => `\`${name}\``).join(', ');
  errors.push(
    present.length === 0
      ? invalidError(path, '', `must specify one of: ${names}`)
      : invalidError(path, `{${present.join(', ')}}`, `must specify exactly one of: ${names}`),
  );
}
