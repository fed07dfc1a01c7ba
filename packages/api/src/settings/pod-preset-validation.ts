/** The rules of PodPresets, as Kubernetes 1.19 had them. */
import { validateLabelSelector, type FieldError } from '@coxswain/apimachinery';
import type { ValidationContext } from '@coxswain/schema';
import { validateEnvironment, validateEnvironmentFrom } from '../core/v1/pod/environment-validation.ts';
import type { EnvFromSource, EnvVar } from '../core/v1/env-var.ts';
import { podOptions } from '../core/v1/pod/pod-validation-options.ts';
import { validateVolumes } from '../core/v1/volume/volume-validation.ts';
import { validateMounts } from '../core/v1/volume/volume-mount-validation.ts';
import type { VolumeMount } from '../core/v1/volume-mount.ts';
import type { Volume } from '../core/v1/volume.ts';
import { pathOf, Errors } from '../meta/checks.ts';
import type { SpecObject } from '../meta/kind-object.ts';
import { subdomainName, validateMeta } from '../meta/object-meta-validation.ts';
import type { LabelSelector } from '../meta/v1/label-selector.ts';

type PodPreset = SpecObject<{
  selector?: LabelSelector;
  env?: EnvVar[];
  envFrom?: EnvFromSource[];
  volumes?: Volume[];
  volumeMounts?: VolumeMount[];
}>;

const specPath = pathOf('spec');

export function validatePodPreset(
  preset: PodPreset,
  old: PodPreset | undefined,
  context: ValidationContext,
): FieldError[] {
  const errors = new Errors();
  validateMeta(preset.metadata, old?.metadata, { namespaced: true, name: subdomainName }, errors);
  const { selector, env, envFrom, volumes, volumeMounts } = preset.spec;
  errors.push(...validateLabelSelector(selector, specPath.child('selector')));
  if (!env && !envFrom && !volumes && !volumeMounts) {
    const path = specPath.child('volumes', 'env', 'envFrom', 'volumeMounts');
    errors.required(path, 'must specify at least one');
  }
  const options = podOptions(false, context, undefined);
  const found = validateVolumes(volumes ?? [], undefined, specPath.child('volumes'), options, errors);
  validateEnvironment(env ?? [], specPath.child('env'), errors);
  validateEnvironmentFrom(envFrom ?? [], specPath.child('envFrom'), errors);
  validateMounts({ volumeMounts: volumeMounts ?? [] }, found, specPath.child('volumeMounts'), errors);
  return errors;
}
