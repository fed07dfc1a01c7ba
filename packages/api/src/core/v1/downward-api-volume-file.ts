import * as t from '@coxswain/schema';
import { ObjectFieldSelector } from './object-field-selector.ts';
import { ResourceFieldSelector } from './resource-field-selector.ts';

export const DownwardAPIVolumeFile = t.struct('core/v1.DownwardAPIVolumeFile', {
  path: t.always(1, t.string, { required: true }),
  fieldRef: t.pointer(2, ObjectFieldSelector),
  resourceFieldRef: t.pointer(3, ResourceFieldSelector),
  mode: t.pointer(4, t.int32),
});
export interface DownwardAPIVolumeFile extends t.Static<typeof DownwardAPIVolumeFile> {}
