import * as t from '@coxswain/schema';
import * as v1 from '../v1/self-subject-rules-review.ts';

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
