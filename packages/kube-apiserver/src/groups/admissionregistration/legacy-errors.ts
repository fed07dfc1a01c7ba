import type { FieldError } from '@coxswain/apimachinery';

const openSideEffects: readonly unknown[] = ['Unknown', 'Some'];

/** v1beta1 accepts any known value of sideEffects, and webhooks with equal names. */
export const webhookErrors = (errors: readonly FieldError[]): readonly FieldError[] =>
  errors.filter(({ field, badValue, type }) => {
    if (field.endsWith('.sideEffects')) return !openSideEffects.includes(badValue);
    return type !== 'FieldValueDuplicate' || !/^webhooks\[\d+\]\.name$/.test(field);
  });
