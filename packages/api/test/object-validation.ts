/** Validates a whole write as a server does (`apiserver/src/registry/before-write.ts`): by the rules of all objects and the kind's. */

import type { FieldError, Kind, ObjectMeta, ValidationContext } from '@coxswain/schema';
import { Errors } from '../src/meta/checks.ts';
import {
  pathSegmentName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../src/meta/object-meta-validation.ts';

interface Written {
  metadata: ObjectMeta;
}

/** The generic rules come last, and only if the kind's own find no errors. */
export function validateCreate<T extends Written>(
  kind: Kind<T, T>,
  object: T,
  context: ValidationContext,
): readonly FieldError[] {
  const errors = kind.behaviour.validate?.(object, undefined, context) ?? [];
  return errors.length > 0 ? errors : genericErrors(kind, object);
}

/** The generic rules come first, and errors that the kind finds again occur twice. */
export function validateUpdate<T extends Written>(
  kind: Kind<T, T>,
  object: T,
  old: T,
  context: ValidationContext,
): readonly FieldError[] {
  return [
    ...genericUpdateErrors(kind, object, old),
    ...(kind.behaviour.validate?.(object, old, context) ?? []),
  ];
}

/** `subresource` is `status` or one for which the kind has rules. */
export function validateSubresourceUpdate<T extends Written>(
  kind: Kind<T, T>,
  subresource: string,
  object: T,
  old: T,
  context: ValidationContext,
): readonly FieldError[] {
  const { validateStatus, validateSubresource } = kind.behaviour;
  const validate = subresource === 'status' ? validateStatus : validateSubresource?.[subresource];
  return [...genericUpdateErrors(kind, object, old), ...(validate?.(object, old, context) ?? [])];
}

function genericErrors<T extends Written>(kind: Kind<T, T>, object: T): Errors {
  const errors = new Errors();
  const namespaced = kind.names?.namespaced ?? false;
  validateObjectMeta(object.metadata, { namespaced, name: pathSegmentName, coreFinalizers: false }, errors);
  return errors;
}

function genericUpdateErrors<T extends Written>(kind: Kind<T, T>, object: T, old: T): Errors {
  const errors = genericErrors(kind, object);
  validateObjectMetaUpdate(object.metadata, old.metadata, errors, false);
  return errors;
}
