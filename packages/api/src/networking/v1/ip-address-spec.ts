import * as t from '@coxswain/schema';

export const ParentReference = t.struct('networking/v1.ParentReference', {
  group: t.optional(1, t.string),
  resource: t.optional(2, t.string, { required: true }),
  namespace: t.optional(3, t.string),
  name: t.optional(4, t.string, { required: true }),
});
export interface ParentReference extends t.Static<typeof ParentReference> {}

export const IPAddressSpec = t.struct('networking/v1.IPAddressSpec', {
  parentRef: t.pointer(1, ParentReference, { required: true }),
});
export interface IPAddressSpec extends t.Static<typeof IPAddressSpec> {}
