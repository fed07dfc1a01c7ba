import { badRequest } from '@coxswain/apimachinery';
import type { UserInfo } from '@coxswain/apiserver';
import { SelfSubjectReview } from '@coxswain/api/authentication/v1/self-subject-review.ts';
import { TokenReview } from '@coxswain/api/authentication/v1/token-review.ts';
import * as v1beta1 from '@coxswain/api/authentication/v1beta1/index.ts';
import { legacyReview, reviewResource } from '../review.ts';
import { legacyVersion, served } from '../resource.ts';
import type { Group } from '../resource.ts';
import { formatTime } from '@coxswain/apimachinery';

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
  async answer(review, _request, { tokensFor, apiAudiences }) {
    const { token, audiences: asked = [] } = review.spec;
    if (!token) throw badRequest('token is required for TokenReview in authentication');
    const wanted = asked.length === 0 ? apiAudiences : asked;
    const found = await tokensFor(wanted).authenticateToken(token);
    if (found.kind !== 'authenticated') {
      const error = found.kind === 'refused' ? tokenError(found.reason) : 'invalid bearer token';
      return refused(review, error);
    }
    const known = found.audiences ?? apiAudiences;
    const audiences = wanted.filter((audience) => known.includes(audience));
    if (audiences.length === 0) {
      return refused(review, 'invalid bearer token');
    }
    return { ...review, status: { authenticated: true, user: userInfoOf(found.user), audiences } };
  },
});

/** What else the client wrote into the status stays there. */
function refused(review: TokenReview, error: string): TokenReview {
  const { authenticated: _, ...status } = review.status;
  return { ...review, status: { ...status, error } };
}

/** The original tells what each of its authenticators had to say, in brackets. */
const tokenError = (reason: string): string =>
  reason === 'invalid bearer token' ? '[invalid bearer token]' : `[invalid bearer token, ${reason}]`;

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
