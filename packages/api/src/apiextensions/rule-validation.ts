/** Validates `x-kubernetes-validations`, except the content of expressions. */

import { invalidError, notSupportedError, requiredError, type FieldPath } from '@coxswain/apimachinery';
import type { Errors } from '../meta/checks.ts';
import { resolveField } from './field-reference.ts';
import type { Schema } from './schema-tree.ts';
import { unstructuralReason } from './structural-validation.ts';
import type { ValidationRule } from './v1/validation-rule.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const lineBreaks = /[\n\r]/;
const notEmpty = 'must be non-empty if specified';

export function validateRules(schema: Schema, path: FieldPath, errors: Errors): void {
  for (const [index, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const at = path.child('x-kubernetes-validations').index(index);
    validateTexts(rule, at, errors);
    const reason = rule.reason as string | null | undefined;
    if (reason != null && !reasons.includes(reason)) {
      errors.push(notSupportedError(at.child('reason'), reason, reasons));
    }
    validateReference(rule.fieldPath ?? '', schema, at.child('fieldPath'), errors);
  }
}

function validateTexts(
  { rule = '', message = '', messageExpression = '' }: ValidationRule,
  path: FieldPath,
  errors: Errors,
): void {
  const at = path.child('message');
  const trimmed = message.trim();
  if (rule.trim() === '') errors.push(requiredError(path.child('rule'), 'rule is not specified'));
  else if (message !== '' && trimmed === '') errors.push(invalidError(at, message, notEmpty));
  else if (lineBreaks.test(trimmed)) errors.push(invalidError(at, message, 'must not contain line breaks'));
  else if (lineBreaks.test(rule.trim()) && trimmed === '') {
    errors.push(requiredError(at, 'message must be specified if rule contains line breaks'));
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    const detail = 'messageExpression must be non-empty if specified';
    errors.push(requiredError(path.child('messageExpression'), detail));
  }
}

function validateReference(reference: string, schema: Schema, path: FieldPath, errors: Errors): void {
  if (reference === '') return;
  if (reference.trim() === '') errors.push(invalidError(path, reference, notEmpty));
  if (lineBreaks.test(reference)) errors.push(invalidError(path, reference, 'must not contain line breaks'));
  if (unstructuralReason(schema) !== undefined) return;
  if (typeof resolveField(reference, schema) !== 'string') return;
  errors.push(invalidError(path, reference, 'must be a valid path'));
}
