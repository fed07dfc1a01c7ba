/** Validates `x-kubernetes-validations`, except the content of expressions. */

import { referencedText, type FieldPath } from '@coxswain/apimachinery';
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
      errors.notSupported(at.child('reason'), referencedText(reason), reasons);
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
  if (rule.trim() === '') errors.required(path.child('rule'), 'rule is not specified');
  else if (message !== '' && trimmed === '') errors.invalid(at, message, notEmpty);
  else if (lineBreaks.test(trimmed)) errors.invalid(at, message, 'must not contain line breaks');
  else if (lineBreaks.test(rule.trim()) && trimmed === '') {
    errors.required(at, 'message must be specified if rule contains line breaks');
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    const detail = 'messageExpression must be non-empty if specified';
    errors.required(path.child('messageExpression'), detail);
  }
}

function validateReference(reference: string, schema: Schema, path: FieldPath, errors: Errors): void {
  if (reference === '') return;
  if (reference.trim() === '') errors.invalid(path, reference, notEmpty);
  if (lineBreaks.test(reference)) errors.invalid(path, reference, 'must not contain line breaks');
  if (unstructuralReason(schema) !== undefined) return;
  if (typeof resolveField(reference, schema) !== 'string') return;
  errors.invalid(path, reference, 'must be a valid path');
}
