import { aggregateText, badRequest } from '@coxswain/apimachinery';
import { LocalSubjectAccessReview } from '@coxswain/api/authorization/v1/local-subject-access-review.ts';
import { SelfSubjectAccessReview } from '@coxswain/api/authorization/v1/self-subject-access-review.ts';
import { SelfSubjectRulesReview } from '@coxswain/api/authorization/v1/self-subject-rules-review.ts';
import { SubjectAccessReview } from '@coxswain/api/authorization/v1/subject-access-review.ts';
import * as v1beta1 from '@coxswain/api/authorization/v1beta1.ts';
import { legacyReview, reviewResource } from '../review.ts';
import { legacyVersion, served, type Group } from '../resource.ts';
import { groupsConversion } from './convert-groups.ts';
import { accessStatus, userOf } from './review-attributes.ts';

const subjectAccessReview = reviewResource<SubjectAccessReview>({
  kind: SubjectAccessReview,
  plural: 'subjectaccessreviews',
  answer: async (review, { observer }, { authorizer }) => ({
    ...review,
    status: await accessStatus(authorizer, { user: userOf(review.spec), observer }, review.spec),
  }),
});

const selfSubjectAccessReview = reviewResource<SelfSubjectAccessReview>({
  kind: SelfSubjectAccessReview,
  plural: 'selfsubjectaccessreviews',
  answer: async (review, { user, observer }, { authorizer }) => ({
    ...review,
    status: await accessStatus(authorizer, { user, observer }, review.spec),
  }),
});

const localSubjectAccessReview = reviewResource<LocalSubjectAccessReview>({
  kind: LocalSubjectAccessReview,
  plural: 'localsubjectaccessreviews',
  namespaced: true,
  async answer(review, { namespace, observer }, { authorizer }) {
    if (review.metadata.namespace !== namespace) {
      throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
    }
    return {
      ...review,
      status: await accessStatus(authorizer, { user: userOf(review.spec), observer }, review.spec),
    };
  },
});

const selfSubjectRulesReview = reviewResource<SelfSubjectRulesReview>({
  kind: SelfSubjectRulesReview,
  plural: 'selfsubjectrulesreviews',
  async answer({ spec }, { user }, { resolveRules }) {
    const namespace = spec.namespace ?? '';
    if (namespace === '') throw badRequest('no namespace on request');
    const { rules, isIncomplete, problems } = resolveRules(user, namespace);
    const resourceRules = rules.filter(({ resources }) => resources?.length);
    const nonResourceRules = rules.filter(({ nonResourceURLs }) => nonResourceURLs?.length);
    return {
      kind: 'SelfSubjectRulesReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec: {},
      status: {
        resourceRules: resourceRules.map(({ verbs = [], apiGroups, resources, resourceNames }) => ({
          verbs: [...verbs],
          ...(apiGroups && { apiGroups: [...apiGroups] }),
          ...(resources && { resources: [...resources] }),
          ...(resourceNames && { resourceNames: [...resourceNames] }),
        })),
        nonResourceRules: nonResourceRules.map(({ verbs = [], nonResourceURLs }) => ({
          verbs: [...verbs],
          ...(nonResourceURLs && { nonResourceURLs: [...nonResourceURLs] }),
        })),
        incomplete: isIncomplete,
        ...(problems.length > 0 ? { evaluationError: aggregateText(problems) } : {}),
      },
    };
  },
});

export const authorizationGroup: Group = {
  name: 'authorization.k8s.io',
  versions: [served('v1'), legacyVersion('v1beta1')],
  resources: [],
  virtual: [
    localSubjectAccessReview,
    selfSubjectAccessReview,
    selfSubjectRulesReview,
    subjectAccessReview,
    legacyReview(
      localSubjectAccessReview,
      v1beta1.LocalSubjectAccessReview,
      groupsConversion(LocalSubjectAccessReview, v1beta1.LocalSubjectAccessReview),
    ),
    legacyReview(selfSubjectAccessReview, v1beta1.SelfSubjectAccessReview),
    legacyReview(selfSubjectRulesReview, v1beta1.SelfSubjectRulesReview),
    legacyReview(
      subjectAccessReview,
      v1beta1.SubjectAccessReview,
      groupsConversion(SubjectAccessReview, v1beta1.SubjectAccessReview),
    ),
  ],
};
