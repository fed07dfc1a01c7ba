import { PodPreset } from '@coxswain/api/settings/v1alpha1.ts';
import { legacyVersion, resource, type Group } from '../resource.ts';

/** Removed upstream in 1.20: PodPresets, which are applied to new pods of a namespace. */
export const settingsGroup: Group = {
  name: 'settings.k8s.io',
  versions: [legacyVersion('v1alpha1')],
  resources: [resource(PodPreset, { legacy: true })],
};
