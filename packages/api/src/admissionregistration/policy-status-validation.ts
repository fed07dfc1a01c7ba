/** Validates a controller's findings about a policy's expressions. */

import type { FieldError } from '@coxswain/apimachinery';
import { pathOf, Errors } from '../meta/checks.ts';
import { validateConditions } from '../meta/condition-validation.ts';
import type { ValidatingAdmissionPolicyStatus } from './v1/validating-admission-policy-spec.ts';

export function validatePolicyStatus({ status }: { status: ValidatingAdmissionPolicyStatus }): FieldError[] {
  const errors = new Errors();
  const path = pathOf('status', 'typeChecking', 'expressionWarnings');
  for (const [index, { fieldRef = '', warning }] of (
    status?.typeChecking?.expressionWarnings ?? []
  ).entries()) {
    const at = path.index(index);
    if (!warning) errors.required(at.child('warning'));
    if (fieldRef.trim() === '') errors.required(at.child('fieldRef'));
  }
  validateConditions(status?.conditions, pathOf('status', 'conditions'), errors);
  return errors;
}
