/** A validation error of one field; a plain value, which becomes a Status cause. */
export interface FieldError {
  /** The cause's reason: `FieldValueInvalid`. */
  readonly type: FieldErrorType;
  /** `spec.containers[0].name` */
  readonly field: string;
  readonly badValue?: unknown;
  readonly detail: string;
}

export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooShort'
  | 'FieldValueTooMany'
  | 'FieldValueTooFew'
  | 'InternalError'
  | 'FieldValueTypeInvalid';
