/** Validates counts that may be percentages. */

import {
  checkPercent,
  goJson,
  intValue,
  PrintedValue,
  type FieldPath,
  type IntOrString,
} from '@coxswain/apimachinery';
import { negativeMessage, type Errors } from './checks.ts';

export function validateIntOrPercent(value: IntOrString, path: FieldPath, errors: Errors): void {
  const messages = typeof value === 'string' ? checkPercent(value) : value < 0 ? [negativeMessage] : [];
  for (const message of messages) errors.invalid(path, printedCount(value), message);
}

/** Upstream's type of such counts is one with a form of its own in JSON. */
export const printedCount = (value: IntOrString): PrintedValue => new PrintedValue(goJson(value));

export function validateNotOverAll(value: IntOrString, path: FieldPath, errors: Errors): void {
  const percent = percentOf(value);
  if (percent !== undefined && percent > 100) {
    errors.invalid(path, value, 'must not be greater than 100%');
  }
}

/** The number before the percent sign, or the number itself; 0 for anything else. */
export const intOrPercentValue = (value: IntOrString): number => percentOf(value) ?? intValue(value);

function percentOf(value: IntOrString): number | undefined {
  if (typeof value !== 'string' || checkPercent(value).length > 0) return undefined;
  return Number.parseInt(value, 10);
}
