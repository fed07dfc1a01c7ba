import * as t from '@coxswain/schema';
import { ResourceClaimSpec } from './resource-claim-spec.ts';
import { defaultDeviceRequests } from '../v1/device-defaults.ts';
import { nameColumn, ageColumn } from '../../meta/columns.ts';

export const ResourceClaimTemplateSpec = t.struct('resource/v1beta2.ResourceClaimTemplateSpec', {
  metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
  spec: t.always(2, ResourceClaimSpec, { required: true }),
});
export interface ResourceClaimTemplateSpec extends t.Static<typeof ResourceClaimTemplateSpec> {}

export const ResourceClaimTemplate = t.kind(
  'resource/v1beta2.ResourceClaimTemplate',
  'resource.k8s.io/v1beta2',
  { plural: 'resourceclaimtemplates', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, ResourceClaimTemplateSpec, { required: true }),
  },
  {
    defaults: [({ spec }) => defaultDeviceRequests(spec.spec?.devices?.requests)],
    columns: [nameColumn, ageColumn],
  },
);
export interface ResourceClaimTemplate extends t.Static<typeof ResourceClaimTemplate> {}
