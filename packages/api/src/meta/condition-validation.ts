/** Validates the conditions in many kinds' statuses. */

import { appendAll } from '@coxswain/apimachinery/append-all.ts';
import { patternMessage, validateLabelName, type FieldPath } from '@coxswain/apimachinery';
import type { Errors } from './checks.ts';
import type { Condition } from './v1/condition.ts';

const statuses = ['False', 'True', 'Unknown'];
const reasonLengthMax = 1024;
const messageLengthMax = 32 * 1024;
const reasonFormat = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const reasonPattern = new RegExp(`^${reasonFormat}$`);

export function validateConditions(
  conditions: readonly Condition[] | null | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  const types = new Set<string>();
  for (const [index, condition] of (conditions ?? []).entries()) {
    const at = path.index(index);
    if (types.has(condition.type)) errors.duplicate(at.child('type'), condition.type);
    types.add(condition.type);
    validateCondition(condition, at, errors);
  }
}

function validateCondition(condition: Condition, path: FieldPath, errors: Errors): void {
  const { type, status, observedGeneration, lastTransitionTime, reason, message } = condition;
  appendAll(errors, validateLabelName(type ?? '', path.child('type')));
  if (!statuses.includes(status)) {
    errors.notSupported(path.child('status'), status ?? '', statuses);
  }
  if ((observedGeneration ?? 0) < 0) {
    const detail = 'must be greater than or equal to zero';
    errors.invalid(path.child('observedGeneration'), observedGeneration, detail);
  }
  if (lastTransitionTime == null) errors.required(path.child('lastTransitionTime'));
  if (!reason) errors.required(path.child('reason'));
  else {
    if (!reasonPattern.test(reason)) {
      errors.invalid(
        path.child('reason'),
        reason,
        patternMessage(
          "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
          reasonFormat,
          'my_name',
          'MY_NAME',
          'MyName',
          'ReasonA,ReasonB',
          'ReasonA:ReasonB',
        ),
      );
    }
    if (reason.length > reasonLengthMax) errors.tooLong(path.child('reason'), reasonLengthMax);
  }
  if ((message ?? '').length > messageLengthMax) {
    errors.tooLong(path.child('message'), messageLengthMax);
  }
}
