/** Tries authenticators one after the other; the first that recognizes its credential decides. */
import { authenticatedGroup, unauthenticatedGroup, type UserInfo } from '../user.ts';
import type { ApiRequest } from '../http/api-request.ts';
import {
  absent,
  askAuthenticator,
  type Authentication,
  type Authenticator,
  type MaybeAuthentication,
  type TokenAuthenticator,
} from './authenticator.ts';

/** A refusal is kept while further authenticators are tried, and stands if none accepts. */
export const unionAuthenticator = (authenticators: readonly Authenticator[]): Authenticator => ({
  name: 'union',
  authenticate: (request) =>
    firstAccepted(authenticators, (one) => askAuthenticator(one, request), 0, absent),
});

export const unionTokenAuthenticator = (
  authenticators: readonly TokenAuthenticator[],
): TokenAuthenticator => ({
  name: 'tokens',
  authenticateToken: (token, audiences) =>
    firstAccepted(authenticators, (one) => one.authenticateToken(token, audiences), 0, absent),
});

/** The first authenticator that doesn't pass the token on decides, even by refusing it. */
export const firstOpinion = (authenticators: readonly TokenAuthenticator[]): TokenAuthenticator => ({
  name: 'first-opinion',
  async authenticateToken(token, audiences) {
    for (const one of authenticators) {
      const found = await one.authenticateToken(token, audiences);
      if (found.kind !== 'absent') return found;
    }
    return absent;
  },
});

function firstAccepted<T>(
  authenticators: readonly T[],
  askOne: (authenticator: T) => MaybeAuthentication,
  from: number,
  refusedBefore: Authentication,
): MaybeAuthentication {
  let known = refusedBefore;
  for (let at = from; at < authenticators.length; at++) {
    const found = askOne(authenticators[at]!);
    if (found instanceof Promise) {
      return found.then((later) =>
        later.kind === 'authenticated'
          ? later
          : firstAccepted(authenticators, askOne, at + 1, bothRefused(known, later)),
      );
    }
    if (found.kind === 'authenticated') return found;
    known = bothRefused(known, found);
  }
  return known;
}

function bothRefused(first: Authentication, second: Authentication): Authentication {
  if (first.kind !== 'refused') return second;
  if (second.kind !== 'refused') return first;
  return {
    kind: 'refused',
    reasons: [...first.reasons, ...second.reasons],
    annotations: { ...first.annotations, ...second.annotations },
  };
}

/** Every authenticated user belongs to `system:authenticated`, except anonymous ones. */
export function withAuthenticatedGroup(user: UserInfo): UserInfo {
  const { groups } = user;
  return groups.includes(authenticatedGroup) || groups.includes(unauthenticatedGroup)
    ? user
    : { ...user, groups: [...groups, authenticatedGroup] };
}

/** Adds the group; the result is cached for as long as the user value lives. */
export function addAuthenticatedGroup(inner: Authenticator): Authenticator {
  const known = new WeakMap<Authentication, Authentication>();
  const joined = (found: Authentication): Authentication => {
    if (found.kind !== 'authenticated') return found;
    let later = known.get(found);
    if (later === undefined) {
      const user = withAuthenticatedGroup(found.user);
      known.set(found, (later = user === found.user ? found : { ...found, user }));
    }
    return later;
  };
  return {
    name: inner.name,
    authenticate(request) {
      const found = inner.authenticate(request);
      return found instanceof Promise ? found.then(joined) : joined(found);
    },
  };
}

/** Asks `next` only when `first` found no credential at all: an invalid one does not make a request anonymous. */
export const unlessRefused = (first: Authenticator, next: Authenticator): Authenticator => {
  const decide = (found: Authentication, request: ApiRequest) =>
    found.kind === 'absent' ? askAuthenticator(next, request) : found;
  return {
    name: first.name,
    authenticate(request) {
      const found = first.authenticate(request);
      return found instanceof Promise
        ? found.then((later) => decide(later, request))
        : decide(found, request);
    },
  };
};
