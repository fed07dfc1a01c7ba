import * as t from '@coxswain/schema';
import { ResourceClaimSpec } from './resource-claim-spec.ts';

export const ResourceClaimTemplateSpec = t.struct('resource/v1.ResourceClaimTemplateSpec', {
  metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
  spec: t.always(2, ResourceClaimSpec, { required: true }),
});
export interface ResourceClaimTemplateSpec extends t.Static<typeof ResourceClaimTemplateSpec> {}
