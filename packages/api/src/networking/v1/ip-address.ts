import { kind, ObjectMeta, optional, pointer, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { addressColumns } from './ip-address-columns.ts';
import { validateAddress } from './ip-address-validation.ts';

export const ParentReference = struct('networking/v1.ParentReference', {
  group: optional(1, string),
  resource: optional(2, string, { required: true }),
  namespace: optional(3, string),
  name: optional(4, string, { required: true }),
});
export interface ParentReference extends Static<typeof ParentReference> {}

export const IPAddressSpec = struct('networking/v1.IPAddressSpec', {
  parentRef: pointer(1, ParentReference, { required: true }),
});
export interface IPAddressSpec extends Static<typeof IPAddressSpec> {}

export const IPAddress = kind(
  'networking/v1.IPAddress',
  'networking.k8s.io/v1',
  { plural: 'ipaddresses', shortNames: ['ip'], namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, IPAddressSpec, { required: true }),
  },
  {
    validate: validateAddress,
    columns: addressColumns,
  },
);
export interface IPAddress extends Static<typeof IPAddress> {}
