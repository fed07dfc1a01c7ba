import { always, atomicList, bool, kind, ObjectMeta, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const NonResourceRule = struct('authorization/v1.NonResourceRule', {
  verbs: always(1, atomicList(string), { required: true }),
  nonResourceURLs: optional(2, atomicList(string)),
});
export interface NonResourceRule extends Static<typeof NonResourceRule> {}

export const ResourceRule = struct('authorization/v1.ResourceRule', {
  verbs: always(1, atomicList(string), { required: true }),
  apiGroups: optional(2, atomicList(string), { go: 'APIGroups' }),
  resources: optional(3, atomicList(string)),
  resourceNames: optional(4, atomicList(string)),
});
export interface ResourceRule extends Static<typeof ResourceRule> {}

export const SelfSubjectRulesReviewSpec = struct('authorization/v1.SelfSubjectRulesReviewSpec', {
  namespace: optional(1, string),
});
export interface SelfSubjectRulesReviewSpec extends Static<typeof SelfSubjectRulesReviewSpec> {}

export const SubjectRulesReviewStatus = struct('authorization/v1.SubjectRulesReviewStatus', {
  resourceRules: always(1, atomicList(ResourceRule), { required: true }),
  nonResourceRules: always(2, atomicList(NonResourceRule), { required: true }),
  incomplete: always(3, bool, { required: true }),
  evaluationError: optional(4, string),
});
export interface SubjectRulesReviewStatus extends Static<typeof SubjectRulesReviewStatus> {}

export const SelfSubjectRulesReview = kind(
  'authorization/v1.SelfSubjectRulesReview',
  'authorization.k8s.io/v1',
  { plural: 'selfsubjectrulesreviews', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, SelfSubjectRulesReviewSpec, { required: true }),
    status: optional(3, SubjectRulesReviewStatus),
  },
);
export interface SelfSubjectRulesReview extends Static<typeof SelfSubjectRulesReview> {}
