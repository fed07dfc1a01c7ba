/** Authenticators asked one after the other; the first that recognises its credential decides. */
import { authenticatedGroup } from '../user.ts';
import type { UserInfo } from '../user.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { absent } from './authenticator.ts';
import type { Authentication, Authenticator, TokenAuthenticator } from './authenticator.ts';

/** A refusal is remembered while others are asked; it stands when none accepts. */
export const unionAuthenticator = (authenticators: readonly Authenticator[]): Authenticator => ({
  name: 'union',
  authenticate: (request) => firstAccepted(authenticators, (one) => one.authenticate(request), 0, absent),
});

export const unionTokenAuthenticator = (
  authenticators: readonly TokenAuthenticator[],
): TokenAuthenticator => ({
  name: 'tokens',
  authenticateToken: (token) =>
    firstAccepted(authenticators, (one) => one.authenticateToken(token), 0, absent),
});

function firstAccepted<T>(
  authenticators: readonly T[],
  ask: (authenticator: T) => Authentication | Promise<Authentication>,
  from: number,
  refused: Authentication,
): Authentication | Promise<Authentication> {
  let known = refused;
  for (let at = from; at < authenticators.length; at++) {
    const found = ask(authenticators[at]!);
    if (found instanceof Promise) {
      return found.then((later) =>
        later.kind === 'authenticated'
          ? later
          : firstAccepted(authenticators, ask, at + 1, later.kind === 'refused' ? later : known),
      );
    }
    if (found.kind === 'authenticated') return found;
    if (found.kind === 'refused') known = found;
  }
  return known;
}

/** Everybody who was authenticated belongs to `system:authenticated`. */
export function withAuthenticatedGroup(user: UserInfo): UserInfo {
  return user.groups.includes(authenticatedGroup)
    ? user
    : { ...user, groups: [...user.groups, authenticatedGroup] };
}

/** `Authorization: Bearer …`, asked of whoever knows tokens. */
export const bearerToken = (tokens: TokenAuthenticator): Authenticator => ({
  name: 'bearer-token',
  authenticate(request: ApiRequest) {
    const header = request.header('authorization');
    if (header === undefined || !/^bearer /i.test(header)) return absent;
    const token = header.slice('bearer '.length).trim();
    if (token === '' || token.includes(' ')) return absent;
    const found = tokens.authenticateToken(token);
    return found instanceof Promise ? found.then(refuseUnknown) : refuseUnknown(found);
  },
});

/** A token that nobody knows doesn't make the request anonymous: it is refused. */
const refuseUnknown = (found: Authentication): Authentication =>
  found.kind === 'absent' ? { kind: 'refused', reason: 'invalid bearer token' } : found;

/** Asks `next` only where `first` saw no credential at all: a bad one doesn't make anonymous. */
export const unlessRefused = (first: Authenticator, next: Authenticator): Authenticator => {
  const decide = (found: Authentication, request: ApiRequest) =>
    found.kind === 'absent' ? next.authenticate(request) : found;
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
