import * as t from '@coxswain/schema';
import { defaultDevices } from './device-defaults.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateSlice } from '../slice-validation.ts';
import { driverWarnings } from '../slice-warnings.ts';
import { ResourceSliceSpec } from './resource-slice-spec.ts';

export const ResourceSlice = t.kind(
  'resource/v1.ResourceSlice',
  'resource.k8s.io/v1',
  { plural: 'resourceslices', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, ResourceSliceSpec, { required: true }),
  },
  {
    defaults: [({ spec }, nowMs) => defaultDevices(spec.devices, nowMs)],
    validate: validateSlice,
    warnings: driverWarnings,
    columns: [
      nameColumn,
      column('Node', ({ spec }) => spec?.nodeName ?? ''),
      column('Driver', ({ spec }) => spec?.driver ?? ''),
      column('Pool', ({ spec }) => spec?.pool?.name ?? ''),
      ageColumn,
    ],
    selectableFields: {
      'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
      'spec.driver': ({ spec }) => spec?.driver ?? '',
    },
    metadataSelectors: 'gvkNamed',
  },
);
export interface ResourceSlice extends t.Static<typeof ResourceSlice> {}
