import * as t from '@coxswain/schema';
import { defaultDeviceRequests } from './device-defaults.ts';
import { nameColumn, ageColumn } from '../../meta/columns.ts';
import { validateTemplate } from '../claim-validation.ts';
import { ResourceClaimTemplateSpec } from './resource-claim-template-spec.ts';

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
