import * as t from '@coxswain/schema';
import { NonResourceAttributes } from './non-resource-attributes.ts';
import { ResourceAttributes } from './resource-attributes.ts';

export const SubjectAccessReviewSpec = t.struct('authorization/v1.SubjectAccessReviewSpec', {
  resourceAttributes: t.pointer(1, ResourceAttributes),
  nonResourceAttributes: t.pointer(2, NonResourceAttributes),
  user: t.optional(3, t.string),
  groups: t.optional(4, t.atomicList(t.string)),
  extra: t.optional(5, t.map(t.named('v1.ExtraValue', t.wrappedList(t.string)))),
  uid: t.optional(6, t.string, { go: 'UID' }),
});
export interface SubjectAccessReviewSpec extends t.Static<typeof SubjectAccessReviewSpec> {}
