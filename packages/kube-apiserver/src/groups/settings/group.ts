import { PodPreset } from '@coxswain/api/settings/v1alpha1/index.ts';
import { legacyVersion, resource, type Group } from '../resource.ts';

/** Gone from the original since 1.20: what pods of a namespace were given when they were created. */
export const settingsGroup: Group = {
  name: 'settings.k8s.io',
  versions: [legacyVersion('v1alpha1')],
  resources: [resource(PodPreset, { legacy: true })],
};
