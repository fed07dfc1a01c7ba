import { kind, list, ObjectMeta, optional, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { EnvFromSource, EnvVar } from '../../core/v1/env-var.ts';
import { VolumeMount } from '../../core/v1/volume-mount.ts';
import { Volume } from '../../core/v1/volume.ts';
import { defaultColumns } from '../../meta/columns.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { validatePodPreset } from '../pod-preset-validation.ts';

export const PodPresetSpec = struct('settings/v1alpha1.PodPresetSpec', {
  selector: optional(1, LabelSelector),
  env: optional(2, list(EnvVar)),
  envFrom: optional(3, list(EnvFromSource)),
  volumes: optional(4, list(Volume)),
  volumeMounts: optional(5, list(VolumeMount)),
});
export interface PodPresetSpec extends Static<typeof PodPresetSpec> {}

export const PodPreset = kind(
  'settings/v1alpha1.PodPreset',
  'settings.k8s.io/v1alpha1',
  { plural: 'podpresets', namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, PodPresetSpec),
  },
  { validate: validatePodPreset, columns: defaultColumns },
);
export interface PodPreset extends Static<typeof PodPreset> {}
