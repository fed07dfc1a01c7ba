import { Errors } from '../../meta/checks.ts';
import * as t from '@coxswain/schema';
import type { FieldError } from '@coxswain/apimachinery';
import type { MetaObject } from '../../meta/kind-object.ts';
import { subdomainName, validateMeta } from '../../meta/object-meta-validation.ts';
import { LocalObjectReference } from './local-object-reference.ts';
import { ObjectReference } from './object-reference.ts';
import { nameColumn, ageColumn } from '../../meta/columns.ts';

export const ServiceAccount = t.kind(
  'core/v1.ServiceAccount',
  'v1',
  { plural: 'serviceaccounts', shortNames: ['sa'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    secrets: t.optional(2, t.listMap(ObjectReference, ['name']), { patch: 'merge', patchKey: 'name' }),
    imagePullSecrets: t.optional(3, t.atomicList(LocalObjectReference)),
    automountServiceAccountToken: t.pointer(4, t.bool),
  },
  {
    validate: validateServiceAccount,
    columns: [nameColumn, ageColumn],
  },
);
export interface ServiceAccount extends t.Static<typeof ServiceAccount> {}

function validateServiceAccount(account: MetaObject, old: MetaObject | undefined): FieldError[] {
  const errors = new Errors();
  validateMeta(
    account.metadata,
    old?.metadata,
    { namespaced: true, name: subdomainName, whole: true },
    errors,
  );
  return errors;
}
