import * as t from '@coxswain/schema';
import { FieldSelectorAttributes } from './v1/field-selector-attributes.ts';
import * as v1 from './v1/index.ts';
import { LabelSelectorAttributes } from './v1/label-selector-attributes.ts';

export const NonResourceAttributes = t.structIn('authorization/v1beta1', v1.NonResourceAttributes);
export interface NonResourceAttributes extends t.Static<typeof NonResourceAttributes> {}

export const ResourceAttributes = t.structIn('authorization/v1beta1', v1.ResourceAttributes, {
  fields: {
    fieldSelector: t.pointer(8, FieldSelectorAttributes),
    labelSelector: t.pointer(9, LabelSelectorAttributes),
  },
});
export interface ResourceAttributes extends t.Static<typeof ResourceAttributes> {}

export const SubjectAccessReviewSpec = t.struct('authorization/v1beta1.SubjectAccessReviewSpec', {
  resourceAttributes: t.pointer(1, ResourceAttributes),
  nonResourceAttributes: t.pointer(2, NonResourceAttributes),
  user: t.optional(3, t.string),
  group: t.optional(4, t.atomicList(t.string), { go: 'Groups' }),
  extra: t.optional(5, t.map(t.named('v1beta1.ExtraValue', t.wrappedList(t.string)))),
  uid: t.optional(6, t.string, { go: 'UID' }),
});
export interface SubjectAccessReviewSpec extends t.Static<typeof SubjectAccessReviewSpec> {}

export const SubjectAccessReviewStatus = t.structIn('authorization/v1beta1', v1.SubjectAccessReviewStatus, {
  fields: { allowed: t.always(1, t.bool) },
});
export interface SubjectAccessReviewStatus extends t.Static<typeof SubjectAccessReviewStatus> {}

export const LocalSubjectAccessReview = t.kindIn('authorization/v1beta1', v1.LocalSubjectAccessReview, {
  fields: { spec: t.always(2, SubjectAccessReviewSpec), status: t.optional(3, SubjectAccessReviewStatus) },
});
export interface LocalSubjectAccessReview extends t.Static<typeof LocalSubjectAccessReview> {}

export const SelfSubjectAccessReviewSpec = t.structIn(
  'authorization/v1beta1',
  v1.SelfSubjectAccessReviewSpec,
  { fields: { resourceAttributes: t.pointer(1, ResourceAttributes) } },
);
export interface SelfSubjectAccessReviewSpec extends t.Static<typeof SelfSubjectAccessReviewSpec> {}

export const SelfSubjectAccessReview = t.kindIn('authorization/v1beta1', v1.SelfSubjectAccessReview, {
  fields: {
    spec: t.always(2, SelfSubjectAccessReviewSpec),
    status: t.optional(3, SubjectAccessReviewStatus),
  },
});
export interface SelfSubjectAccessReview extends t.Static<typeof SelfSubjectAccessReview> {}

export const NonResourceRule = t.structIn('authorization/v1beta1', v1.NonResourceRule, {
  fields: { verbs: t.always(1, t.atomicList(t.string)) },
});
export interface NonResourceRule extends t.Static<typeof NonResourceRule> {}

export const ResourceRule = t.structIn('authorization/v1beta1', v1.ResourceRule, {
  fields: { verbs: t.always(1, t.atomicList(t.string)) },
});
export interface ResourceRule extends t.Static<typeof ResourceRule> {}

export const SelfSubjectRulesReviewSpec = t.structIn('authorization/v1beta1', v1.SelfSubjectRulesReviewSpec);
export interface SelfSubjectRulesReviewSpec extends t.Static<typeof SelfSubjectRulesReviewSpec> {}

export const SubjectRulesReviewStatus = t.struct('authorization/v1beta1.SubjectRulesReviewStatus', {
  resourceRules: t.always(1, t.atomicList(ResourceRule)),
  nonResourceRules: t.always(2, t.atomicList(NonResourceRule)),
  incomplete: t.always(3, t.bool),
  evaluationError: t.optional(4, t.string),
});
export interface SubjectRulesReviewStatus extends t.Static<typeof SubjectRulesReviewStatus> {}

export const SelfSubjectRulesReview = t.kindIn('authorization/v1beta1', v1.SelfSubjectRulesReview, {
  fields: { spec: t.always(2, SelfSubjectRulesReviewSpec), status: t.optional(3, SubjectRulesReviewStatus) },
});
export interface SelfSubjectRulesReview extends t.Static<typeof SelfSubjectRulesReview> {}

export const SubjectAccessReview = t.kindIn('authorization/v1beta1', v1.SubjectAccessReview, {
  fields: { spec: t.always(2, SubjectAccessReviewSpec), status: t.optional(3, SubjectAccessReviewStatus) },
});
export interface SubjectAccessReview extends t.Static<typeof SubjectAccessReview> {}
