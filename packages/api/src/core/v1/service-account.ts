import { atomicList, bool, kind, listMap, ObjectMeta, optional, pointer } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { LocalObjectReference } from './local-object-reference.ts';
import { ObjectReference } from './object-reference.ts';
import { nameColumn, ageColumn } from '../../meta/columns.ts';

export const ServiceAccount = kind(
  'core/v1.ServiceAccount',
  'v1',
  { plural: 'serviceaccounts', shortNames: ['sa'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    secrets: optional(2, listMap(ObjectReference, ['name']), { patch: 'merge', patchKey: 'name' }),
    imagePullSecrets: optional(3, atomicList(LocalObjectReference)),
    automountServiceAccountToken: pointer(4, bool),
  },
  {
    columns: [nameColumn, ageColumn],
  },
);
export interface ServiceAccount extends Static<typeof ServiceAccount> {}
