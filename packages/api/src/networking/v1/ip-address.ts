import { formatGroupResource } from '@coxswain/apimachinery';
import * as t from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import { validateAddress } from './ip-address-validation.ts';

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

export const IPAddress = t.kind(
  'networking/v1.IPAddress',
  'networking.k8s.io/v1',
  { plural: 'ipaddresses', shortNames: ['ip'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, IPAddressSpec, { required: true }),
  },
  {
    validate: validateAddress,
    columns: [
      nameColumn,
      column('ParentRef', ({ spec }) => {
        const parent = spec?.parentRef;
        if (parent == null) return '<none>';
        const resource = formatGroupResource({
          group: parent.group ?? '',
          resource: parent.resource ?? '',
        }).toLowerCase();
        return `${parent.namespace ? `${resource}/${parent.namespace}` : resource}/${parent.name ?? ''}`;
      }),
      { ...ageColumn, isUndeclared: true },
    ],
  },
);
export interface IPAddress extends t.Static<typeof IPAddress> {}
