import { newUid } from '@coxswain/apimachinery';
import type { Strategy } from '@coxswain/apiserver';
import type { AnyObject } from '../any-object.ts';

export const limitRangeStrategy: Partial<Strategy<AnyObject>> = {
  allowCreateOnUpdate: true,
  prepareForCreate(object) {
    object.metadata.name ||= newUid();
  },
};
