import * as t from '@coxswain/schema';
import { EnvFromSource, EnvVar } from '../core/v1/env-var.ts';
import { VolumeMount } from '../core/v1/volume-mount.ts';
import { Volume } from '../core/v1/volume.ts';
import { defaultColumns } from '../meta/columns.ts';
import { LabelSelector } from '../meta/v1/label-selector.ts';
import { validatePodPreset } from './pod-preset-validation.ts';

export const PodPresetSpec = t.struct('settings/v1alpha1.PodPresetSpec', {
  selector: t.optional(1, LabelSelector),
  env: t.optional(2, t.list(EnvVar)),
  envFrom: t.optional(3, t.list(EnvFromSource)),
  volumes: t.optional(4, t.list(Volume)),
  volumeMounts: t.optional(5, t.list(VolumeMount)),
});
export interface PodPresetSpec extends t.Static<typeof PodPresetSpec> {}

export const PodPreset = t.kind(
  'settings/v1alpha1.PodPreset',
  'settings.k8s.io/v1alpha1',
  { plural: 'podpresets', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, PodPresetSpec),
  },
  { validate: validatePodPreset, columns: defaultColumns },
);
export interface PodPreset extends t.Static<typeof PodPreset> {}
