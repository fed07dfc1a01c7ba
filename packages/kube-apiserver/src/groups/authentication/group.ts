import { badRequest, formatTime, internalError } from '@coxswain/apimachinery';
import { reasonText, type UserInfo } from '@coxswain/apiserver';
import { SelfSubjectReview } from '@coxswain/api/authentication/v1/self-subject-review.ts';
import { TokenReview } from '@coxswain/api/authentication/v1/token-review.ts';
import * as v1beta1 from '@coxswain/api/authentication/v1beta1.ts';
import { legacyReview, reviewResource } from '../review.ts';
import { legacyVersion, served, type Group } from '../resource.ts';

const selfSubjectReview = reviewResource<SelfSubjectReview>({
  kind: SelfSubjectReview,
  plural: 'selfsubjectreviews',
  answer: (review, { user, receivedAtMs }) =>
    Promise.resolve({
      kind: review.kind,
      apiVersion: review.apiVersion,
      metadata: { creationTimestamp: formatTime(receivedAtMs) },
      status: { userInfo: userInfoOf(user) },
    }),
});

const tokenReview = reviewResource<TokenReview>({
  kind: TokenReview,
  plural: 'tokenreviews',
  async answer(review, _request, { reviewToken, apiAudiences }) {
    const { token, audiences: asked = [] } = review.spec;
    if (!token) throw badRequest('token is required for TokenReview in authentication');
    const wanted = asked.length === 0 ? apiAudiences : asked;
    const found = await reviewToken(token, wanted);
    // Other fields that the client set in the status are kept.
    const { authenticated: _, ...status } = review.status;
    if (found.kind === 'absent') return { ...review, status };
    if (found.kind === 'refused') {
      return { ...review, status: { ...status, error: reasonText(found.reasons) } };
    }
    const { user, audiences } = found;
    if (wanted.length > 0 && !wanted.some((audience) => audiences?.includes(audience))) {
      throw internalError('error validating audiences');
    }
    return {
      ...review,
      status: {
        ...status,
        authenticated: true,
        user: userInfoOf(user),
        ...(audiences === undefined || audiences.length === 0 ? {} : { audiences: [...audiences] }),
      },
    };
  },
});

const userInfoOf = ({ name, uid, groups, extra }: UserInfo) => ({
  username: name,
  ...(uid === undefined || uid === '' ? {} : { uid }),
  ...(groups.length === 0 ? {} : { groups: [...groups] }),
  ...(extra === undefined || Object.keys(extra).length === 0
    ? {}
    : { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])) }),
});

export const authenticationGroup: Group = {
  name: 'authentication.k8s.io',
  versions: [served('v1'), legacyVersion('v1beta1')],
  resources: [],
  virtual: [
    selfSubjectReview,
    tokenReview,
    legacyReview(selfSubjectReview, v1beta1.SelfSubjectReview),
    legacyReview(tokenReview, v1beta1.TokenReview),
  ],
};
