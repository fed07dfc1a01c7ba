import { atomicList, map, optional, pointer, string, struct, wrappedList, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { NonResourceAttributes } from './non-resource-attributes.ts';
import { ResourceAttributes } from './resource-attributes.ts';

export const SubjectAccessReviewSpec = struct('authorization/v1beta1.SubjectAccessReviewSpec', {
  resourceAttributes: pointer(1, ResourceAttributes),
  nonResourceAttributes: pointer(2, NonResourceAttributes),
  user: optional(3, string),
  group: optional(4, atomicList(string), { go: 'Groups' }),
  extra: optional(5, map(named('v1beta1.ExtraValue', wrappedList(string)))),
  uid: optional(6, string, { go: 'UID' }),
});
export interface SubjectAccessReviewSpec extends Static<typeof SubjectAccessReviewSpec> {}
