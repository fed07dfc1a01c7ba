/** Validates pod templates of workloads. */

import type { FieldPath } from '@coxswain/apimachinery';
import type { Errors } from '../../../meta/checks.ts';
import { validateAnnotations, validateLabels } from '../../../meta/object-meta-validation.ts';
import { validatePodAnnotations, validateProfilesMatch } from './pod-annotation-validation.ts';
import { validatePodSpec } from './pod-spec-validation.ts';
import type { PodTemplateSpec } from '../pod-template-spec.ts';
import type { PodOptions } from './pod-options.ts';

export function validatePodTemplate(
  template: PodTemplateSpec,
  path: FieldPath,
  options: PodOptions,
  errors: Errors,
): void {
  validateLabels(template.metadata?.labels, path, 'labels', errors);
  validateAnnotations(template.metadata?.annotations, path, errors);
  const annotations = template.metadata?.annotations;
  validatePodAnnotations(annotations, template.spec, path.child('annotations'), options, errors);
  validatePodSpec(template.spec, undefined, path.child('spec'), options, errors);
  validateProfilesMatch(annotations, template.spec, path.child('spec'), errors);
  if ((template.spec.ephemeralContainers ?? []).length > 0) {
    errors.forbidden(
      path.child('spec', 'ephemeralContainers'),
      'ephemeral containers not allowed in pod template',
    );
  }
}
