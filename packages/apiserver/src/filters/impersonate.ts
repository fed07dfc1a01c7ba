/** Lets one user act as another, if it may (`impersonate` on users, groups, uids and extras). */
import { internalError } from '@coxswain/apimachinery/errors.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { decodedKey } from '../authentication/request-header.ts';
import { forbiddenError } from '../authorization/forbidden.ts';
import type { AuthorizationAttributes, Authorizer } from '../authorization/authorizer.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { errorResponse } from '../negotiation/error-response.ts';
import { anonymousUser, authenticatedGroup } from '../user.ts';
import type { UserInfo } from '../user.ts';
import type { Answer, Filter, Next } from './filter.ts';

const userHeader = 'impersonate-user';
const uidHeader = 'impersonate-uid';
const groupHeader = 'impersonate-group';
const extraPrefix = 'impersonate-extra-';

export const impersonate = (authorizer: Authorizer): Filter => ({
  step: 'impersonate',
  handle(request, next) {
    for (const name in request.headers) {
      if (name.startsWith('impersonate-')) return asOther(request, next, authorizer);
    }
    return next(request);
  },
});

async function asOther(request: ApiRequest, next: Next, authorizer: Authorizer): Promise<Awaited<Answer>> {
  const name = request.header(userHeader) ?? '';
  const groups = valuesOf(request, groupHeader);
  const uid = request.header(uidHeader) ?? '';
  const extra = extraOf(request);
  if (name === '') {
    if (groups.length === 0 && uid === '' && Object.keys(extra).length === 0) return next(request);
    const missing = `requested ${goQuote('')} impersonation without impersonating a user`;
    return errorResponse(request, internalError(missing));
  }
  for (const attributes of asked(request, name, uid, groups, extra)) {
    const decision = await authorizer.decide(attributes);
    if (decision.kind !== 'allow') {
      request.responseHeaders['x-content-type-options'] = 'nosniff';
      return errorResponse(request, forbiddenError(attributes, decision.reason));
    }
  }
  request.impersonator = request.user;
  request.user = impersonated(name, uid, groups, extra);
  if (request.audit !== undefined) request.audit.impersonatedUser = request.user;
  return next(request);
}

/** One question for each thing that is taken on. */
function asked(
  { user, info }: ApiRequest,
  name: string,
  uid: string,
  groups: readonly string[],
  extra: Readonly<Record<string, readonly string[]>>,
): readonly AuthorizationAttributes[] {
  const common = {
    user,
    verb: 'impersonate',
    version: 'v1',
    isResourceRequest: true,
    path: info.path,
    subresource: '',
  };
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name);
  const questions: AuthorizationAttributes[] = [
    account === null
      ? { ...common, group: '', resource: 'users', namespace: '', name }
      : { ...common, group: '', resource: 'serviceaccounts', namespace: account[1]!, name: account[2]! },
  ];
  for (const group of groups)
    questions.push({ ...common, group: '', resource: 'groups', namespace: '', name: group });
  const authentication = { ...common, group: 'authentication.k8s.io', namespace: '' };
  if (uid !== '') questions.push({ ...authentication, resource: 'uids', name: uid });
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values) {
      questions.push({ ...authentication, resource: 'userextras', subresource: key, name: value });
    }
  }
  return questions;
}

function impersonated(
  name: string,
  uid: string,
  groups: readonly string[],
  extra: Readonly<Record<string, readonly string[]>>,
): UserInfo {
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name);
  const given =
    account !== null && groups.length === 0
      ? ['system:serviceaccounts', `system:serviceaccounts:${account[1]}`]
      : [...groups];
  const isAnonymous = name === anonymousUser.name;
  const more = isAnonymous ? anonymousUser.groups[0]! : authenticatedGroup;
  if (!given.includes(more)) given.push(more);
  return {
    name,
    groups: given,
    ...(uid === '' ? undefined : { uid }),
    ...(Object.keys(extra).length === 0 ? undefined : { extra }),
  };
}

const valuesOf = (request: ApiRequest, header: string): readonly string[] => {
  const value = request.headers[header];
  if (value === undefined) return [];
  return typeof value === 'string' ? value.split(/,\s*/).filter((one) => one !== '') : value;
};

function extraOf(request: ApiRequest): Record<string, readonly string[]> {
  const extra: Record<string, readonly string[]> = {};
  for (const header of Object.keys(request.headers)) {
    if (header.startsWith(extraPrefix)) {
      extra[decodedKey(header.slice(extraPrefix.length)).toLowerCase()] = valuesOf(request, header);
    }
  }
  return extra;
}
