import { goJson, type FieldError } from '@coxswain/apimachinery';
import { immutableMessage, negativeMessage, Errors } from '../meta/checks.ts';
import type { MetaObject } from '../meta/kind-object.ts';
import { validateMeta } from '../meta/object-meta-validation.ts';
import { workloadRules } from './workload-validation.ts';

interface Revision extends MetaObject {
  data?: unknown;
  revision?: number | bigint;
}

export function validateRevision(revision: Revision, old: Revision | undefined): FieldError[] {
  const errors = new Errors();
  validateMeta(revision.metadata, old?.metadata, { ...workloadRules, whole: true }, errors);
  if ((revision.revision ?? 0) < 0) errors.invalid('revision', revision.revision, negativeMessage);
  const { data } = revision;
  if (old !== undefined) {
    // Compared byte by byte, including the order of members.
    if (goJson(data ?? null) !== goJson(old.data ?? null)) {
      errors.invalid('data', data ?? null, immutableMessage);
    }
  } else if (data == null) errors.required('data', 'data is mandatory');
  else if (typeof data !== 'object' || Array.isArray(data)) {
    errors.required('data', 'data must be a valid JSON object');
  }
  return errors;
}
