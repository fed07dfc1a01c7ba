import { always, kind, ObjectMeta, optional, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { ResourceClaimSpec } from './resource-claim-spec.ts';
import { defaultDeviceRequests } from '../v1/device-defaults.ts';
import { nameColumn, ageColumn } from '../../meta/columns.ts';

export const ResourceClaimTemplateSpec = struct('resource/v1beta1.ResourceClaimTemplateSpec', {
  metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
  spec: always(2, ResourceClaimSpec, { required: true }),
});
export interface ResourceClaimTemplateSpec extends Static<typeof ResourceClaimTemplateSpec> {}

export const ResourceClaimTemplate = kind(
  'resource/v1beta1.ResourceClaimTemplate',
  'resource.k8s.io/v1beta1',
  { plural: 'resourceclaimtemplates', namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, ResourceClaimTemplateSpec, { required: true }),
  },
  {
    defaults: [({ spec }) => defaultDeviceRequests(spec.spec?.devices?.requests)],
    columns: [nameColumn, ageColumn],
  },
);
export interface ResourceClaimTemplate extends Static<typeof ResourceClaimTemplate> {}
