import type { FieldError } from '@coxswain/apimachinery';

/** v1beta1 lets through what v1 was tightened against: the signer of old requests, and odd conditions. */
export const requestErrors = (errors: readonly FieldError[]): readonly FieldError[] =>
  errors.filter(({ field, badValue, type }) => {
    if (field === 'spec.signerName') return badValue !== 'kubernetes.io/legacy-unknown';
    if (field === 'spec.usages') return type === 'FieldValueRequired' ? false : type === 'FieldValueInvalid';
    return !/^status\.conditions\[\d+\]\.type$/.test(field) || type === 'FieldValueInvalid';
  });
