/** Before authorization.k8s.io/v1 a review's groups were called `group`. */
import type { Conversion } from '@coxswain/apiserver';
import type { Kind } from '@coxswain/schema';
import { changing } from '../conversion.ts';

interface Spec {
  readonly groups?: readonly string[];
  readonly group?: readonly string[];
}

export const groupsConversion = (storage: Kind, other: Kind): Conversion =>
  changing(storage, other, {
    toStorage(review) {
      const { group: groups, ...spec } = (review.spec ?? {}) as Spec;
      review.spec = { ...spec, ...(groups && { groups }) };
    },
    fromStorage(review) {
      const { groups: group, ...spec } = (review.spec ?? {}) as Spec;
      review.spec = { ...spec, ...(group && { group }) };
    },
  });
