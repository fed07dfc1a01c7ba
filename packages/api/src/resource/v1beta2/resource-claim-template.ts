import * as t from '@coxswain/schema';
import * as v1 from '../v1/index.ts';

export const ResourceClaimTemplateSpec = t.structIn('resource/v1beta2', v1.ResourceClaimTemplateSpec);
export interface ResourceClaimTemplateSpec extends t.Static<typeof ResourceClaimTemplateSpec> {}

export const ResourceClaimTemplate = t.kindIn('resource/v1beta2', v1.ResourceClaimTemplate, {
  shared: ['defaults', 'columns'],
});
export interface ResourceClaimTemplate extends t.Static<typeof ResourceClaimTemplate> {}
