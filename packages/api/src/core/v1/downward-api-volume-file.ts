import { always, int32, pointer, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { ObjectFieldSelector } from './object-field-selector.ts';
import { ResourceFieldSelector } from './resource-field-selector.ts';

export const DownwardAPIVolumeFile = struct('core/v1.DownwardAPIVolumeFile', {
  path: always(1, string, { required: true }),
  fieldRef: pointer(2, ObjectFieldSelector),
  resourceFieldRef: pointer(3, ResourceFieldSelector),
  mode: pointer(4, int32),
});
export interface DownwardAPIVolumeFile extends Static<typeof DownwardAPIVolumeFile> {}
