import * as t from '@coxswain/schema';
import { ResourceClaimSpec } from './resource-claim-spec.ts';
import { defaultDeviceRequests } from './device-defaults.ts';
import { nameColumn, ageColumn } from '../../meta/columns.ts';
import { validateTemplate } from '../claim-validation.ts';

export const ResourceClaimTemplateSpec = t.struct('resource/v1.ResourceClaimTemplateSpec', {
  metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
  spec: t.always(2, ResourceClaimSpec, { required: true }),
});
export interface ResourceClaimTemplateSpec extends t.Static<typeof ResourceClaimTemplateSpec> {}

export const ResourceClaimTemplate = t.kind(
  'resource/v1.ResourceClaimTemplate',
  'resource.k8s.io/v1',
  { plural: 'resourceclaimtemplates', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, ResourceClaimTemplateSpec, { required: true }),
  },
  {
    defaults: [({ spec }) => defaultDeviceRequests(spec.spec?.devices?.requests)],
    validate: validateTemplate,
    columns: [nameColumn, ageColumn],
  },
);
export interface ResourceClaimTemplate extends t.Static<typeof ResourceClaimTemplate> {}
