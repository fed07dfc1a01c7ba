import type { Strategy } from '@coxswain/apiserver';
import type { Secret } from '@coxswain/api/core/v1/secret.ts';
import { as, type AnyObject } from '../any-object.ts';

/** An update without a type keeps the existing one. */
export const secretStrategy: Partial<Strategy<AnyObject>> = {
  prepareForUpdate(object, old) {
    const secret = as<Secret>(object);
    const { type } = as<Secret>(old);
    if (!secret.type && type) secret.type = type;
  },
};
