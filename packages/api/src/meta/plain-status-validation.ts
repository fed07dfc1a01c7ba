import { Errors } from './checks.ts';
import type { FieldError } from '@coxswain/apimachinery';
import type { MetaObject } from './kind-object.ts';
import { validateObjectMetaUpdate } from './object-meta-validation.ts';

/** For writes to a status without rules: only metadata is validated. */
export function validateMetaUpdate(object: MetaObject, old: MetaObject): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(object.metadata, old.metadata, errors);
  return errors;
}
