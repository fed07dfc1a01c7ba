import type { FieldError, FieldErrorType } from '@coxswain/apimachinery';

/** Validation that v1 added: the field, and the type or text of the errors. */
const tightened: readonly (readonly [RegExp, FieldErrorType | string])[] = [
  [/^spec\.signerName$/, 'the legacy signerName is not allowed via this API version'],
  [/^spec\.usages\[\d+\]$/, 'FieldValueNotSupported'],
  [/^spec\.usages\[\d+\]$/, 'FieldValueDuplicate'],
  [/^status\.conditions\[\d+\]\.type$/, 'FieldValueRequired'],
  [/^status\.conditions\[\d+\]\.type$/, 'FieldValueDuplicate'],
  [/^status\.certificate$/, 'FieldValueInvalid'],
  [/^status\.certificate$/, 'updates may not modify existing certificate content'],
];

/** v1beta1 does not report these. */
export const requestErrors = (errors: readonly FieldError[]): readonly FieldError[] =>
  errors.filter(
    ({ field, type, detail }) =>
      !tightened.some(([pattern, what]) => pattern.test(field) && (what === type || what === detail)),
  );
