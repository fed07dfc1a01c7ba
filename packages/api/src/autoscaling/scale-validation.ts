import type { FieldError } from '@coxswain/apimachinery';
import { notNegative, pathOf, Errors } from '../meta/checks.ts';
import type { SpecObject } from '../meta/kind-object.ts';
import { subdomainName, validateObjectMeta } from '../meta/object-meta-validation.ts';

/** For a write to `/scale`. */
export function validateScale({ metadata, spec }: SpecObject<{ replicas?: number }>): FieldError[] {
  const errors = new Errors();
  validateObjectMeta(metadata, { namespaced: true, name: subdomainName }, errors);
  notNegative(spec?.replicas, pathOf('spec'), 'replicas', errors);
  return errors;
}
