import { atomicList, bool, kind, listMap, ObjectMeta, optional, pointer } from '@coxswain/schema';
import type { FieldError } from '@coxswain/apimachinery';
import type { Static } from '@coxswain/schema';
import type { MetaObject } from '../../meta/kind-object.ts';
import { subdomainName, validateMeta } from '../../meta/object-meta-validation.ts';
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
    validate: validateServiceAccount,
    columns: [nameColumn, ageColumn],
  },
);
export interface ServiceAccount extends Static<typeof ServiceAccount> {}

function validateServiceAccount(account: MetaObject, old: MetaObject | undefined): FieldError[] {
  const errors: FieldError[] = [];
  validateMeta(
    account.metadata,
    old?.metadata,
    { namespaced: true, name: subdomainName, whole: true },
    errors,
  );
  return errors;
}
