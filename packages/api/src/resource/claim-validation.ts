/** Validates ResourceClaims and their templates, whose specs are immutable. */

import { goEqual, wasSentEmpty } from '@coxswain/schema';
import type { FieldError, FieldPath } from '@coxswain/apimachinery';
import { immutableMessage, pathOf, Errors } from '../meta/checks.ts';
import { goStruct, withGoNames } from '../meta/go-struct.ts';
import type { SpecObject } from '../meta/kind-object.ts';
import {
  subdomainName,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validateTemplateMeta,
} from '../meta/object-meta-validation.ts';
import { validateClaimSpec } from './request-validation.ts';
import { ResourceClaimSpec } from './v1/resource-claim-spec.ts';
import { ResourceClaimTemplateSpec } from './v1/resource-claim-template-spec.ts';

const rules = { namespaced: true, name: subdomainName };
const specPath = pathOf('spec');

type Claim = SpecObject<ResourceClaimSpec>;

export function validateClaim({ metadata, spec }: Claim, old: Claim | undefined): FieldError[] {
  const errors = new Errors();
  validateObjectMeta(metadata, rules, errors);
  if (old === undefined) {
    validateClaimSpec(spec, specPath, errors);
    return errors;
  }
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  if (!goEqual(ResourceClaimSpec, spec, old.spec, 'semantic')) {
    errors.invalid(specPath, goStruct(ResourceClaimSpec, spec), immutableMessage);
  }
  return errors;
}

type Template = SpecObject<ResourceClaimTemplateSpec>;

export function validateTemplate({ metadata, spec }: Template, old: Template | undefined): FieldError[] {
  const errors = new Errors();
  validateObjectMeta(metadata, rules, errors);
  validateTemplateMetadata(spec.metadata, specPath.child('metadata'), errors);
  validateClaimSpec(spec.spec, specPath.child('spec'), errors);
  if (old === undefined) return errors;
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  if (!goEqual(ResourceClaimTemplateSpec, spec, old.spec, 'semantic')) {
    const printed = { ...spec.metadata, Spec: withGoNames(ResourceClaimSpec, spec.spec) };
    errors.invalid(specPath, printed, immutableMessage);
  }
  return errors;
}

/** Metadata that a template may not set for its claims, with the Go names of the fields. */
const refusedMetadata = {
  name: 'name',
  generateName: 'generateName',
  namespace: 'namespace',
  selfLink: 'selfLink',
  uid: 'uID',
  resourceVersion: 'resourceVersion',
  generation: 'generation',
  creationTimestamp: 'creationTimestamp',
  deletionTimestamp: 'deletionTimestamp',
  deletionGracePeriodSeconds: 'deletionGracePeriodSeconds',
  ownerReferences: 'ownerReferences',
  finalizers: 'finalizers',
  managedFields: 'managedFields',
} as const;

function validateTemplateMetadata(
  metadata: ResourceClaimTemplateSpec['metadata'],
  path: FieldPath,
  errors: Errors,
): void {
  validateTemplateMeta(metadata, path, errors);
  const members = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  for (const [name, shown] of Object.entries(refusedMetadata)) {
    const value = members[name];
    const isPointer = name === 'deletionGracePeriodSeconds';
    const isZero = value == null || (!isPointer && (value === '' || value === 0));
    if (isZero && !wasSentEmpty(metadata, name)) continue;
    errors.forbidden(path.child(shown), 'cannot be set');
  }
}
