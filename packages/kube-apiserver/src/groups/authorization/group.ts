import { badRequest, invalidError } from '@coxswain/apimachinery';
import type { FieldError } from '@coxswain/apimachinery';
import { LocalSubjectAccessReview } from '@coxswain/api/authorization/v1/local-subject-access-review.ts';
import { SelfSubjectAccessReview } from '@coxswain/api/authorization/v1/self-subject-access-review.ts';
import { SelfSubjectRulesReview } from '@coxswain/api/authorization/v1/self-subject-rules-review.ts';
import { SubjectAccessReview } from '@coxswain/api/authorization/v1/subject-access-review.ts';
import { reviewResource } from '../review.ts';
import { served } from '../resource.ts';
import type { Group } from '../resource.ts';
import {
  accessStatus,
  attributesOf,
  printedPath,
  questionErrors,
  subjectErrors,
  userOf,
} from './review-attributes.ts';

const subjectAccessReview = reviewResource<SubjectAccessReview>({
  kind: SubjectAccessReview,
  plural: 'subjectaccessreviews',
  validate: ({ metadata, spec }) => [
    ...questionErrors(spec),
    ...subjectErrors(spec),
    ...emptyMetadata(metadata),
  ],
  answer: async (review, _request, { authorizer }) => ({
    ...review,
    status: await accessStatus(authorizer, attributesOf(userOf(review.spec), review.spec)),
  }),
});

const selfSubjectAccessReview = reviewResource<SelfSubjectAccessReview>({
  kind: SelfSubjectAccessReview,
  plural: 'selfsubjectaccessreviews',
  validate: ({ metadata, spec }) => [...questionErrors(spec), ...emptyMetadata(metadata)],
  answer: async (review, { user }, { authorizer }) => ({
    ...review,
    status: await accessStatus(authorizer, attributesOf(user, review.spec)),
  }),
});

const localSubjectAccessReview = reviewResource<LocalSubjectAccessReview>({
  kind: LocalSubjectAccessReview,
  plural: 'localsubjectaccessreviews',
  namespaced: true,
  validate: localErrors,
  async answer(review, { namespace }, { authorizer }) {
    if (review.metadata.namespace !== namespace) {
      throw badRequest(
        `namespace on metadata does not match namespace of request: ${review.metadata.namespace} vs ${namespace}`,
      );
    }
    return {
      ...review,
      status: await accessStatus(authorizer, attributesOf(userOf(review.spec), review.spec)),
    };
  },
});

function localErrors({ metadata, spec }: LocalSubjectAccessReview): FieldError[] {
  const { namespace = '', ...others } = metadata;
  const asked = spec.resourceAttributes?.namespace ?? '';
  return [
    ...questionErrors(spec),
    ...subjectErrors(spec),
    ...emptyMetadata(others, 'must be empty except for namespace'),
    ...(spec.resourceAttributes && asked !== namespace
      ? [invalidError('spec.resourceAttributes.namespace', asked, 'must match metadata.namespace')]
      : []),
    ...(spec.nonResourceAttributes
      ? [
          invalidError(
            'spec.nonResourceAttributes',
            printedPath(spec.nonResourceAttributes),
            'disallowed on this kind of request',
          ),
        ]
      : []),
  ];
}

const selfSubjectRulesReview = reviewResource<SelfSubjectRulesReview>({
  kind: SelfSubjectRulesReview,
  plural: 'selfsubjectrulesreviews',
  async answer({ spec }, { user }, { rules: lister }) {
    const namespace = spec.namespace ?? '';
    if (namespace === '') throw badRequest('no namespace on request');
    const { rules, problems } = lister.rulesOf(user, namespace);
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
        incomplete: problems.length > 0,
        ...(problems.length > 0 ? { evaluationError: problems.join(', ') } : {}),
      },
    };
  },
});

type Metadata = Readonly<Record<string, unknown>>;

/** What the server itself puts there doesn't count. */
function emptyMetadata(whole: Metadata, detail = 'must be empty'): FieldError[] {
  const { managedFields: _, ...metadata } = whole;
  const given = Object.entries(metadata).filter(
    ([, value]) => value !== undefined && value !== '' && value !== null,
  );
  return given.length === 0 ? [] : [invalidError('metadata', whole, detail)];
}

export const authorizationGroup: Group = {
  name: 'authorization.k8s.io',
  versions: [served('v1')],
  resources: [],
  virtual: [localSubjectAccessReview, selfSubjectAccessReview, selfSubjectRulesReview, subjectAccessReview],
};
