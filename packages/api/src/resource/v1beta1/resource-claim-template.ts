import * as t from '@coxswain/schema';
import { ResourceClaimSpec } from './resource-claim-spec.ts';
import { defaultDeviceRequests } from '../v1/device-defaults.ts';
import { nameColumn, ageColumn } from '../../meta/columns.ts';
import * as v1beta2 from '../v1beta2/resource-claim-template.ts';

export const ResourceClaimTemplateSpec = t.structIn('resource/v1beta1', v1beta2.ResourceClaimTemplateSpec, {
  fields: { spec: t.always(2, ResourceClaimSpec, { required: true }) },
});
export interface ResourceClaimTemplateSpec extends t.Static<typeof ResourceClaimTemplateSpec> {}

export const ResourceClaimTemplate = t.kindIn(
  'resource/v1beta1',
  v1beta2.ResourceClaimTemplate,
  { fields: { spec: t.always(2, ResourceClaimTemplateSpec, { required: true }) } },
  {
    defaults: [({ spec }) => defaultDeviceRequests(spec.spec?.devices?.requests)],
    columns: [nameColumn, ageColumn],
  },
);
export interface ResourceClaimTemplate extends t.Static<typeof ResourceClaimTemplate> {}
