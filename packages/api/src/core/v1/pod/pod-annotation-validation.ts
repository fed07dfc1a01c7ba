/** Validates pod annotations from before fields replaced them. */

import { goQuote, type FieldPath } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ObjectMeta } from '@coxswain/schema';
import type { Errors } from '../../../meta/checks.ts';
import { localDescendingPath } from './path-validation.ts';
import { containersOf, visitContainers } from './pod-containers.ts';
import type { PodSpec } from '../pod-spec.ts';
import type { PodOptions } from './pod-options.ts';
import { validateTolerations } from './scheduling-validation.ts';
import type { Toleration } from '../taint.ts';

type Annotations = ObjectMeta['annotations'];

export const mirrorAnnotation = 'kubernetes.io/config.mirror';
const tolerationsAnnotation = 'scheduler.alpha.kubernetes.io/tolerations';
export const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost';
const podSeccompAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';
const containerSeccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/';
const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

export function validatePodAnnotations(
  annotations: Annotations,
  spec: PodSpec,
  path: FieldPath,
  options: PodOptions,
  errors: Errors,
): void {
  if (annotations == null) return;
  const mirror = annotations[mirrorAnnotation];
  if (mirror !== undefined && !spec.nodeName) {
    errors.invalid(
      path.key(mirrorAnnotation),
      mirror,
      'must set spec.nodeName if mirror pod annotation is set',
    );
  }
  if (annotations[tolerationsAnnotation]) {
    validateTolerationsText(annotations[tolerationsAnnotation], path, options, errors);
  }
  const cost = annotations[deletionCostAnnotation];
  if (cost !== undefined && !isDeletionCost(cost) && !options.invalidDeletionCost) {
    errors.invalid(path.key(deletionCostAnnotation), cost, 'must be a 32bit integer');
  }
  const podProfile = annotations[podSeccompAnnotation];
  if (podProfile !== undefined) validateSeccompName(podProfile, path.child(podSeccompAnnotation), errors);
  let names: ReadonlySet<string> | undefined;
  for (const key in annotations) {
    if (key.startsWith(containerSeccompPrefix))
      validateSeccompName(annotations[key]!, path.child(key), errors);
    if (key.startsWith(appArmorPrefix)) {
      names ??= new Set(containersOf(spec).map(({ name }) => name));
      validateAppArmorName(key, annotations[key]!, names, path, errors);
    }
  }
}

/** Within 32 bits, without a plus sign or leading zeros. */
export const isDeletionCost = (text: string): boolean =>
  /^(0|-?[1-9]\d*)$/.test(text) && Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31;

function validateTolerationsText(text: string, path: FieldPath, options: PodOptions, errors: Errors): void {
  let tolerations: unknown;
  try {
    tolerations = JSON.parse(text);
  } catch (error) {
    errors.invalid(path, tolerationsAnnotation, messageOf(error));
    return;
  }
  if (Array.isArray(tolerations)) {
    validateTolerations(tolerations as Toleration[], path.child(tolerationsAnnotation), options, errors);
  }
}

function validateSeccompName(profile: string, path: FieldPath, errors: Errors): void {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return;
  if (profile.startsWith('localhost/')) localDescendingPath(profile.slice('localhost/'.length), path, errors);
  else errors.invalid(path, profile, 'must be a valid seccomp profile');
}

function validateAppArmorName(
  key: string,
  profile: string,
  containers: ReadonlySet<string>,
  path: FieldPath,
  errors: Errors,
): void {
  const name = key.slice(appArmorPrefix.length);
  if (!containers.has(name)) {
    errors.invalid(path.key(key), name, 'container not found');
  }
  if (['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith('localhost/')) return;
  errors.invalid(path.key(key), profile, `invalid AppArmor profile name: ${goQuote(profile)}`);
}

/** An annotation and its field must agree if both are set; in new pods and templates. */
export function validateProfilesMatch(
  annotations: Annotations,
  spec: PodSpec,
  path: FieldPath,
  errors: Errors,
): void {
  if (annotations == null) return;
  matchProfile(
    'seccomp',
    annotations[podSeccompAnnotation],
    spec.securityContext?.seccompProfile,
    path,
    errors,
  );
  visitContainers(spec, path, (container, containerPath) => {
    const annotation = annotations[containerSeccompPrefix + container.name];
    matchProfile('seccomp', annotation, container.securityContext?.seccompProfile, containerPath, errors);
  });
  if (spec.os?.name === 'windows') return;
  visitContainers(spec, path, (container, containerPath) => {
    const field = container.securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
    matchProfile('apparmor', annotations[appArmorPrefix + container.name], field, containerPath, errors);
  });
}

interface Profile {
  type: string;
  localhostProfile?: string;
}

function matchProfile(
  module: 'seccomp' | 'apparmor',
  annotation: string | undefined,
  field: Profile | null | undefined,
  parent: FieldPath,
  errors: Errors,
): void {
  if (annotation === undefined || field == null) return;
  const path = parent.child('securityContext', module === 'seccomp' ? 'seccompProfile' : 'appArmorProfile');
  const defaults = module === 'seccomp' ? ['runtime/default', 'docker/default'] : ['runtime/default'];
  const typeMatches =
    (field.type === 'Unconfined' && annotation === 'unconfined') ||
    (field.type === 'RuntimeDefault' && defaults.includes(annotation)) ||
    (field.type === 'Localhost' && annotation.startsWith('localhost/')) ||
    !['Unconfined', 'RuntimeDefault', 'Localhost'].includes(field.type);
  if (!typeMatches) {
    errors.forbidden(path.child('type'), `${module} type in annotation and field must match`);
  } else if (field.type === 'Localhost' && annotation.slice('localhost/'.length) !== field.localhostProfile) {
    errors.forbidden(path.child('localhostProfile'), `${module} profile in annotation and field must match`);
  }
}

/** Immutable in updates. */
export function validateAnnotationUpdate(
  annotations: Annotations,
  old: Annotations,
  path: FieldPath,
  errors: Errors,
): void {
  for (const key in old) {
    if (annotations?.[key] === old[key]) continue;
    if (key.startsWith(appArmorPrefix)) {
      errors.forbidden(path.key(key), 'may not remove or update AppArmor annotations');
    }
    if (key === mirrorAnnotation) {
      errors.forbidden(path.key(key), 'may not remove or update mirror pod annotation');
    }
  }
  for (const key in annotations) {
    if (old?.[key] !== undefined) continue;
    if (key.startsWith(appArmorPrefix)) errors.forbidden(path.key(key), 'may not add AppArmor annotations');
    if (key === mirrorAnnotation) errors.forbidden(path.key(key), 'may not add mirror pod annotation');
  }
}
