import {
  always,
  atomicList,
  bool,
  kind,
  optional,
  string,
  struct,
  wrappedList,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const APIResource = struct('meta/v1.APIResource', {
  name: always(1, string, { required: true }),
  singularName: always(6, string, { required: true }),
  namespaced: always(2, bool, { required: true }),
  group: optional(8, string),
  version: optional(9, string),
  kind: always(3, string, { required: true }),
  verbs: always(4, named('v1.Verbs', wrappedList(string)), { required: true }),
  shortNames: optional(5, atomicList(string)),
  categories: optional(7, atomicList(string)),
  storageVersionHash: optional(10, string),
});
export interface APIResource extends Static<typeof APIResource> {}

export const APIResourceList = kind('meta/v1.APIResourceList', 'meta.k8s.io/v1', undefined, {
  groupVersion: always(1, string, { required: true }),
  resources: always(2, atomicList(APIResource), { required: true, go: 'APIResources' }),
});
export interface APIResourceList extends Static<typeof APIResourceList> {}
