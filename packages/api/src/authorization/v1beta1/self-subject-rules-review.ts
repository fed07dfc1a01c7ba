import * as t from '@coxswain/schema';

export const NonResourceRule = t.struct('authorization/v1beta1.NonResourceRule', {
  verbs: t.always(1, t.atomicList(t.string)),
  nonResourceURLs: t.optional(2, t.atomicList(t.string)),
});
export interface NonResourceRule extends t.Static<typeof NonResourceRule> {}

export const ResourceRule = t.struct('authorization/v1beta1.ResourceRule', {
  verbs: t.always(1, t.atomicList(t.string)),
  apiGroups: t.optional(2, t.atomicList(t.string), { go: 'APIGroups' }),
  resources: t.optional(3, t.atomicList(t.string)),
  resourceNames: t.optional(4, t.atomicList(t.string)),
});
export interface ResourceRule extends t.Static<typeof ResourceRule> {}

export const SelfSubjectRulesReviewSpec = t.struct('authorization/v1beta1.SelfSubjectRulesReviewSpec', {
  namespace: t.optional(1, t.string),
});
export interface SelfSubjectRulesReviewSpec extends t.Static<typeof SelfSubjectRulesReviewSpec> {}

export const SubjectRulesReviewStatus = t.struct('authorization/v1beta1.SubjectRulesReviewStatus', {
  resourceRules: t.always(1, t.atomicList(ResourceRule)),
  nonResourceRules: t.always(2, t.atomicList(NonResourceRule)),
  incomplete: t.always(3, t.bool),
  evaluationError: t.optional(4, t.string),
});
export interface SubjectRulesReviewStatus extends t.Static<typeof SubjectRulesReviewStatus> {}

export const SelfSubjectRulesReview = t.kind(
  'authorization/v1beta1.SelfSubjectRulesReview',
  'authorization.k8s.io/v1beta1',
  { plural: 'selfsubjectrulesreviews', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, SelfSubjectRulesReviewSpec),
    status: t.optional(3, SubjectRulesReviewStatus),
  },
);
export interface SelfSubjectRulesReview extends t.Static<typeof SelfSubjectRulesReview> {}
