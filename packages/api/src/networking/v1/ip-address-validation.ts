import {
  checkDnsSubdomain,
  checkPathSegment,
  goJson,
  PrintedValue,
  semanticDeepEqual,
  validateIp,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { check, immutableMessage, pathOf, Errors } from '../../meta/checks.ts';
import type { SpecObject } from '../../meta/kind-object.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../../meta/object-meta-validation.ts';
import type { IPAddressSpec, ParentReference as Parent } from './ip-address-spec.ts';

type Address = SpecObject<IPAddressSpec>;

const addressName = (name: string): readonly string[] =>
  validateIp(undefined, name).map(({ detail }) => detail);

export function validateAddress({ metadata, spec }: Address, old: Address | undefined): FieldError[] {
  const errors = new Errors();
  validateObjectMeta(metadata, { namespaced: false, name: addressName }, errors);
  const path = pathOf('spec', 'parentRef');
  const parent = spec?.parentRef;
  validateParent(parent, path, errors);
  if (old === undefined) return errors;
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  if (!sameParent(parent, old.spec?.parentRef)) {
    errors.invalid(path, parent == null ? null : printed(parent), immutableMessage);
  }
  return errors;
}

const sameParent = (now: Parent | null | undefined, before: Parent | null | undefined): boolean =>
  (now == null) === (before == null) && semanticDeepEqual(now, before);

function validateParent(parent: Parent | null | undefined, path: FieldPath, errors: Errors): void {
  if (parent == null) {
    errors.required(path);
    return;
  }
  if (parent.group) check(parent.group, path.child('group'), checkDnsSubdomain, errors);
  for (const name of ['resource', 'name'] as const) {
    if (!parent[name]) errors.required(path.child(name));
    else check(parent[name], path.child(name), checkPathSegment, errors);
  }
  if (parent.namespace) check(parent.namespace, path.child('namespace'), checkPathSegment, errors);
}

const printed = ({ group = '', resource = '', namespace = '', name = '' }: Parent): PrintedValue =>
  new PrintedValue(goJson({ Group: group, Resource: resource, Namespace: namespace, Name: name }));
