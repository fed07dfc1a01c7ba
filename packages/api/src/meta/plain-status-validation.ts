import type { FieldError } from '@coxswain/apimachinery';
import type { MetaObject } from './kind-object.ts';
import { validateObjectMetaUpdate } from './object-meta-validation.ts';

/** For a write to a status about which there are no rules: metadata alone is looked at. */
export function validateMetaUpdate(object: MetaObject, old: MetaObject): FieldError[] {
  const errors: FieldError[] = [];
  validateObjectMetaUpdate(object.metadata, old.metadata, errors);
  return errors;
}
