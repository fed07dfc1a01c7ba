/** For kinds of which nothing but metadata is looked at, here. */

import type { FieldError } from '@coxswain/apimachinery';
import type { MetaObject } from './kind-object.ts';
import { validateMeta, type MetaRules } from './object-meta-validation.ts';

export const metaValidation =
  (rules: MetaRules & { readonly whole?: boolean }) =>
  (object: MetaObject, old: MetaObject | undefined): FieldError[] => {
    const errors: FieldError[] = [];
    validateMeta(object.metadata, old?.metadata, rules, errors);
    return errors;
  };
