import * as t from '@coxswain/schema';

export const ResourcePoolStatusRequestSpec = t.struct('resource/v1alpha3.ResourcePoolStatusRequestSpec', {
  driver: t.always(1, t.string, { required: true }),
  poolName: t.pointer(2, t.string),
  limit: t.pointer(3, t.int32, { default: 100, defaultPublished: true }),
});
export interface ResourcePoolStatusRequestSpec extends t.Static<typeof ResourcePoolStatusRequestSpec> {}
