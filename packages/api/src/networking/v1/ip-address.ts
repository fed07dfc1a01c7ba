import { formatGroupResource } from '@coxswain/apimachinery';
import * as t from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import { validateAddress } from './ip-address-validation.ts';
import { IPAddressSpec } from './ip-address-spec.ts';

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
