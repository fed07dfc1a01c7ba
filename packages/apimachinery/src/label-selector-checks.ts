/** Validation of labels and of LabelSelector fields, with upstream's field errors. */

import { forbiddenError, invalidError, requiredError, type FieldError } from './field-error.ts';
import type { FieldPath } from './field-path.ts';
import type { Labels, LabelSelectorSpec } from './label-selector.ts';
import { checkLabelValue, checkQualifiedName } from './names.ts';

export interface SelectorCheckOptions {
  /** Set when the stored object already has an invalid one. */
  readonly allowInvalidValues?: boolean;
  readonly allowUnknownOperators?: boolean;
}

export function validateLabelSelector(
  selector: LabelSelectorSpec | null | undefined,
  path: FieldPath,
  options: SelectorCheckOptions = {},
): FieldError[] {
  if (selector === null || selector === undefined) return [];
  return [
    ...validateLabels(selector.matchLabels, path.child('matchLabels')),
    ...(selector.matchExpressions ?? []).flatMap((expression, index) =>
      validateLabelRequirement(expression, path.child('matchExpressions').index(index), options),
    ),
  ];
}

export const validateLabels = (labels: Labels | null | undefined, path: FieldPath): FieldError[] =>
  Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...validateLabelName(key, path),
    ...checkLabelValue(value).map((message) => invalidError(path, value, message)),
  ]);

export const validateLabelName = (name: string, path: FieldPath): FieldError[] =>
  checkQualifiedName(name).map((message) => invalidError(path, name, message));

type Expression = NonNullable<LabelSelectorSpec['matchExpressions']>[number];

/** One requirement of a selector. */
export function validateLabelRequirement(
  expression: Expression,
  path: FieldPath,
  options: SelectorCheckOptions,
): FieldError[] {
  const { key = '', operator = '' } = expression;
  const values = expression.values ?? [];
  const errors: FieldError[] = [];
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      errors.push(
        requiredError(path.child('values'), "must be specified when `operator` is 'In' or 'NotIn'"),
      );
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      errors.push(
        forbiddenError(
          path.child('values'),
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
      );
    }
  } else if (!options.allowUnknownOperators) {
    errors.push(invalidError(path.child('operator'), operator, 'not a valid selector operator'));
  }
  errors.push(...validateLabelName(key, path.child('key')));
  if (options.allowInvalidValues) return errors;
  return [
    ...errors,
    ...values.flatMap((value, index) =>
      checkLabelValue(value).map((message) =>
        invalidError(path.child('values').index(index), value, message),
      ),
    ),
  ];
}
