/** Expressions that choose devices. Whether they compile is not looked at. */

import { requiredError, tooLongError } from '@coxswain/apimachinery';
import type { FieldPath } from '@coxswain/apimachinery';
import type { Errors } from '../meta/checks.ts';
import { validateEach } from './list-validation.ts';
import type { DeviceSelector } from './v1/device-selector.ts';

const selectorsMax = 32;
const expressionLengthMax = 10 * 1024;

export function validateSelectors(
  selectors: readonly DeviceSelector[] | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  validateEach(selectors, selectorsMax, path, errors, ({ cel }, each) => {
    if (cel == null) errors.push(requiredError(each.child('cel')));
    else if (Buffer.byteLength(cel.expression ?? '') > expressionLengthMax) {
      errors.push(tooLongError(each.child('cel', 'expression'), expressionLengthMax));
    }
  });
}
