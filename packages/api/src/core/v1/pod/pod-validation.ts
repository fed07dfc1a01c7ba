/** Validates pods: new ones, and the mutable parts of existing ones. */

import {
  forbiddenError,
  goQuote,
  PrintedValue,
  semanticDeepEqual,
  type FieldError,
} from '@coxswain/apimachinery';
import { goEqual, withEmptiedOf, type ValidationContext } from '@coxswain/schema';
import { asSent, int32Max, pathOf, Errors } from '../../../meta/checks.ts';
import { goStruct, goStructDiff, goStructs } from '../../../meta/go-struct.ts';
import type { StatusObject } from '../../../meta/kind-object.ts';
import {
  metadataPath,
  subdomainName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../../../meta/object-meta-validation.ts';
import { NodeAffinity } from '../affinity.ts';
import { validateImages } from './container-validation.ts';
import { EphemeralContainer, type Container } from '../container.ts';
import { NodeSelectorTerm } from '../node-selector.ts';
import {
  mirrorAnnotation,
  validateAnnotationUpdate,
  validatePodAnnotations,
  validateProfilesMatch,
} from './pod-annotation-validation.ts';
import { podSpecDiff } from './pod-spec-diff.ts';
import { validatePodSpec } from './pod-spec-validation.ts';
import { PodSpec } from '../pod-spec.ts';
import type { PodStatus } from '../pod-status.ts';
import { podOptions } from './pod-validation-options.ts';
import type { PodOptions } from './pod-options.ts';
import { validateTolerations } from './scheduling-validation.ts';

export type PodObject = StatusObject<PodSpec, PodStatus>;

const specPath = pathOf('spec');
const annotationsPath = metadataPath.child('annotations');

export function validatePod(
  pod: PodObject,
  old: PodObject | undefined,
  context: ValidationContext,
): FieldError[] {
  const errors = new Errors();
  const options = podOptions(true, context, old);
  if (old !== undefined) {
    validateUpdate(pod, old, options, errors);
    return errors;
  }
  validateWhole(pod, options, errors);
  if ((pod.spec.ephemeralContainers ?? []).length > 0) {
    errors.forbidden(specPath.child('ephemeralContainers'), 'cannot be set on create');
  }
  if (pod.spec.nodeName && (pod.spec.schedulingGates ?? []).length > 0) {
    errors.forbidden(specPath.child('nodeName'), 'cannot be set until all schedulingGates have been cleared');
  }
  validateProfilesMatch(pod.metadata.annotations, pod.spec, specPath, errors);
  return errors;
}

/** Validates metadata and spec, regardless of the old object. */
export function validateWhole(pod: PodObject, options: PodOptions, errors: Errors): void {
  validateObjectMeta(pod.metadata, { namespaced: true, name: subdomainName }, errors);
  validatePodAnnotations(pod.metadata.annotations, pod.spec, annotationsPath, options, errors);
  validatePodSpec(pod.spec, pod.metadata, specPath, options, errors);
  if (!pod.spec.serviceAccountName) forbidTokens(pod.spec, errors);
  validateImages(pod.spec.containers ?? [], specPath.child('containers'), errors);
  validateImages(pod.spec.initContainers ?? [], specPath.child('initContainers'), errors);
}

/** A token requires a service account. */
function forbidTokens(spec: PodSpec, errors: Errors): void {
  for (const [index, { projected }] of (spec.volumes ?? []).entries()) {
    for (const [sourceIndex, source] of (projected?.sources ?? []).entries()) {
      if (source.serviceAccountToken == null) continue;
      errors.forbidden(
        specPath
          .child('volumes')
          .index(index)
          .child('projected', 'sources')
          .index(sourceIndex)
          .child('serviceAccountToken'),
        'must not be specified when serviceAccountName is not set',
      );
    }
  }
}

function validateUpdate(pod: PodObject, old: PodObject, options: PodOptions, errors: Errors): void {
  validateObjectMetaUpdate(pod.metadata, old.metadata, errors);
  validateWhole(pod, options, errors);
  validateAnnotationUpdate(pod.metadata.annotations, old.metadata.annotations, annotationsPath, errors);
  validatePodAnnotations(pod.metadata.annotations, pod.spec, annotationsPath, options, errors);
  for (const list of ['containers', 'initContainers'] as const) {
    if (!sameContainers(pod.spec[list] ?? [], old.spec[list] ?? [], list, errors)) return;
  }
  if (!validateDeadline(pod.spec, old.spec, errors)) return;
  onlyAddedTolerations(pod.spec, old.spec, options, errors);
  onlyRemovedGates(pod.spec, old.spec, errors);
  if (isSameSpec(pod.spec, old.spec)) return;
  const rest = withoutChangeable(pod.spec, old.spec);
  if ((old.spec.schedulingGates ?? []).length > 0) restoreOfGated(rest, old.spec, errors);
  if (!isSameSpec(rest, old.spec)) {
    errors.forbidden(specPath, `${changeableMessage}\n${podSpecDiff(old.spec, rest)}`);
  }
}

const isSameSpec = (spec: PodSpec, old: PodSpec): boolean => goEqual(PodSpec, spec, old, 'semantic');

const changeableMessage =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
  '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Returns whether the rest of the update can be validated. */
function sameContainers(
  containers: readonly Container[],
  old: readonly Container[],
  list: 'containers' | 'initContainers',
  errors: Errors,
): boolean {
  const path = specPath.child(list);
  if (containers.length !== old.length) {
    errors.forbidden(path, 'pod updates may not add or remove containers');
    return false;
  }
  for (const [index, { image = '' }] of containers.entries()) {
    if (image === '') errors.required(path.index(index).child('image'));
  }
  validateImages(containers, path, errors);
  return true;
}

/** It may be set once, and shortened. */
function validateDeadline(spec: PodSpec, old: PodSpec, errors: Errors): boolean {
  const path = specPath.child('activeDeadlineSeconds');
  const seconds = spec.activeDeadlineSeconds;
  const before = old.activeDeadlineSeconds;
  if (seconds == null) {
    if (before != null) {
      errors.invalid(path, new PrintedValue('null'), 'must not update from a positive integer to nil value');
    }
    return true;
  }
  if (seconds < 0 || seconds > int32Max) {
    errors.invalid(path, seconds, `must be between 0 and ${int32Max}, inclusive`);
    return false;
  }
  if (before != null && before < seconds) {
    errors.invalid(path, seconds, 'must be less than or equal to previous value');
    return false;
  }
  return true;
}

function onlyAddedTolerations(spec: PodSpec, old: PodSpec, options: PodOptions, errors: Errors): void {
  const path = specPath.child('tolerations');
  const now = spec.tolerations ?? [];
  const isKept = (before: object): boolean =>
    now.some((toleration) =>
      semanticDeepEqual({ ...before, tolerationSeconds: null }, { ...toleration, tolerationSeconds: null }),
    );
  if (!(old.tolerations ?? []).every(isKept)) {
    errors.forbidden(path, 'existing toleration can not be modified except its tolerationSeconds');
    return;
  }
  validateTolerations(now, path, options, errors);
}

function onlyRemovedGates(spec: PodSpec, old: PodSpec, errors: Errors): void {
  const before = new Set((old.schedulingGates ?? []).map(({ name }) => name));
  for (const [index, { name }] of (spec.schedulingGates ?? []).entries()) {
    if (before.has(name)) continue;
    errors.forbidden(
      specPath.child('schedulingGates').index(index).child('name'),
      `only deletion is allowed, but found new scheduling gate '${name}'`,
    );
  }
}

/** The new spec with the old one's values of mutable fields. */
function withoutChangeable(spec: PodSpec, old: PodSpec): PodSpec {
  const withOldImages = (
    containers: readonly Container[] | undefined,
    before: readonly Container[] | undefined,
  ) =>
    containers?.map((container, index) =>
      withEmptiedOf(container, { ...container, image: before?.[index]?.image }),
    );
  const rest: PodSpec = withEmptiedOf(
    spec,
    {
      ...spec,
      containers: withOldImages(spec.containers, old.containers) ?? [],
      activeDeadlineSeconds: old.activeDeadlineSeconds,
      schedulingGates: old.schedulingGates,
      tolerations: old.tolerations,
    },
    ['initContainers', 'schedulingGates', 'tolerations'],
  );
  if (spec.initContainers !== undefined)
    rest.initContainers = withOldImages(spec.initContainers, old.initContainers);
  if ((old.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1) {
    rest.terminationGracePeriodSeconds = old.terminationGracePeriodSeconds;
  }
  return rest;
}

/** While scheduling gates hold a pod back, its node selection may be narrowed. */
function restoreOfGated(rest: PodSpec, old: PodSpec, errors: Errors): void {
  if (!semanticDeepEqual(rest.nodeSelector, old.nodeSelector)) {
    const isKept = Object.entries(old.nodeSelector ?? {}).every(
      ([key, value]) => rest.nodeSelector?.[key] === value,
    );
    if (!isKept) {
      errors.invalid(
        specPath.child('nodeSelector'),
        asSent(rest, 'nodeSelector', {}),
        'only additions to spec.nodeSelector are allowed (no mutations or deletions)',
      );
    }
    rest.nodeSelector = old.nodeSelector;
  }
  const before = old.affinity?.nodeAffinity;
  const now = rest.affinity?.nodeAffinity;
  if ((before == null) === (now == null) && goEqual(NodeAffinity, now, before, 'semantic')) return;
  validateNarrowing(rest, old, errors);
  const others = { ...rest.affinity };
  delete others.nodeAffinity;
  if (before != null) others.nodeAffinity = before;
  rest.affinity = old.affinity == null && Object.keys(others).length === 0 ? undefined : others;
}

function validateNarrowing(spec: PodSpec, old: PodSpec, errors: Errors): void {
  const termsOf = ({ affinity }: PodSpec) =>
    affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const before = termsOf(old);
  const now = termsOf(spec);
  const path = specPath.child(
    'affinity',
    'nodeAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
    'nodeSelectorTerms',
  );
  if (before.length > 0 && before.length !== now.length) {
    errors.invalid(
      path,
      goStructs(NodeSelectorTerm, now.length === 0 ? null : now),
      'no additions/deletions to non-empty NodeSelectorTerms list are allowed',
    );
    return;
  }
  for (const [index, term] of before.entries()) {
    if (hasOnlyAdditions(now[index]!, term)) continue;
    errors.invalid(
      path.index(index),
      goStruct(NodeSelectorTerm, now[index]),
      'only additions are allowed (no mutations or deletions)',
    );
  }
}

function hasOnlyAdditions(now: NodeSelectorTerm, before: NodeSelectorTerm): boolean {
  const isEmpty = (term: NodeSelectorTerm) =>
    (term.matchExpressions ?? []).length === 0 && (term.matchFields ?? []).length === 0;
  if (isEmpty(before) && !isEmpty(now)) return false;
  return (['matchExpressions', 'matchFields'] as const).every((list) =>
    (before[list] ?? []).every((requirement, index) => semanticDeepEqual(requirement, now[list]?.[index])),
  );
}

/** For a write to `/ephemeralcontainers`: ephemeral containers may be added, but not changed or removed. */
export function validateEphemeralUpdate(
  pod: PodObject,
  old: PodObject,
  context: ValidationContext,
): FieldError[] {
  if (old.metadata.annotations?.[mirrorAnnotation] !== undefined) {
    return [forbiddenError('[]', 'static pods do not support ephemeral containers')];
  }
  const errors = new Errors();
  const options = podOptions(true, context, old);
  validateObjectMetaUpdate(pod.metadata, old.metadata, errors);
  validateWhole(pod, options, errors);
  validateAnnotationUpdate(pod.metadata.annotations, old.metadata.annotations, annotationsPath, errors);
  validatePodAnnotations(pod.metadata.annotations, pod.spec, annotationsPath, options, errors);
  const path = specPath.child('ephemeralContainers');
  for (const before of old.spec.ephemeralContainers ?? []) {
    const now = (pod.spec.ephemeralContainers ?? []).find(({ name }) => name === before.name);
    const subject = `existing ephemeral containers ${goQuote(before.name)}`;
    if (now === undefined) errors.forbidden(path, `${subject} may not be removed\n`);
    else if (!goEqual(EphemeralContainer, now, before, 'semantic')) {
      const diff = goStructDiff(EphemeralContainer, before, now);
      errors.forbidden(path, `${subject} may not be changed\n${diff}`);
    }
  }
  return errors;
}
