/** Converts an access review to the authorizer's attributes, and its decision to the review's status. */
import type { AuthorizationAttributes, Authorizer, UserInfo } from '@coxswain/apiserver';
import type { ResourceAttributes } from '@coxswain/api/authorization/v1/resource-attributes.ts';
import type { NonResourceAttributes } from '@coxswain/api/authorization/v1/non-resource-attributes.ts';
import { readSelectors } from './review-selectors.ts';

export interface Question {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: NonResourceAttributes;
}

export async function accessStatus(
  authorizer: Authorizer,
  asker: Pick<AuthorizationAttributes, 'user' | 'observer'>,
  question: Question,
) {
  const { resourceAttributes } = question;
  const { problems, ...selectors } = resourceAttributes
    ? readSelectors(resourceAttributes)
    : { problems: [] };
  const decision = await authorizer.decide({ ...asker, ...attributesOf(question), ...selectors });
  const all = [...problems, ...(decision.problem === undefined ? [] : [decision.problem])];
  return {
    allowed: decision.kind === 'allow',
    ...(decision.kind === 'deny' ? { denied: true } : {}),
    ...(decision.reason === '' ? {} : { reason: decision.reason }),
    ...(all.length === 0 ? {} : { evaluationError: all.join('; ') }),
  };
}

function attributesOf(question: Question): Omit<AuthorizationAttributes, 'user' | 'observer'> {
  const { resourceAttributes: resource, nonResourceAttributes: other } = question;
  return {
    verb: (resource ?? other)?.verb ?? '',
    namespace: resource?.namespace ?? '',
    group: resource?.group ?? '',
    version: resource?.version || (resource === undefined ? '' : '*'),
    resource: resource?.resource ?? '',
    subresource: resource?.subresource ?? '',
    name: resource?.name ?? '',
    isResourceRequest: resource !== undefined,
    path: other?.path ?? '',
  };
}

export interface Subject {
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const userOf = ({ user = '', groups = [], uid, extra }: Subject): UserInfo => ({
  name: user,
  groups,
  ...(uid === undefined ? {} : { uid }),
  ...(extra === undefined ? {} : { extra }),
});
