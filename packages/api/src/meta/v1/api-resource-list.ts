import * as t from '@coxswain/schema';

export const APIResource = t.struct('meta/v1.APIResource', {
  name: t.always(1, t.string, { required: true }),
  singularName: t.always(6, t.string, { required: true }),
  namespaced: t.always(2, t.bool, { required: true }),
  group: t.optional(8, t.string),
  version: t.optional(9, t.string),
  kind: t.always(3, t.string, { required: true }),
  verbs: t.always(4, t.named('v1.Verbs', t.wrappedList(t.string)), { required: true }),
  shortNames: t.optional(5, t.atomicList(t.string)),
  categories: t.optional(7, t.atomicList(t.string)),
  storageVersionHash: t.optional(10, t.string),
});
export interface APIResource extends t.Static<typeof APIResource> {}

export const APIResourceList = t.kind('meta/v1.APIResourceList', 'meta.k8s.io/v1', undefined, {
  groupVersion: t.always(1, t.string, { required: true }),
  resources: t.always(2, t.atomicList(APIResource), { required: true, go: 'APIResources' }),
});
export interface APIResourceList extends t.Static<typeof APIResourceList> {}
