/** Authentication: each authenticator examines one kind of credential to identify the sender of a request. */
import { aggregateText, runStepInTurn } from '@coxswain/apimachinery';
import type { ApiRequest } from '../http/api-request.ts';
import type { UserInfo } from '../user.ts';

/** What an authenticator reports besides the user. */
export interface AuthenticationNotes {
  /** For the audit event. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** For the client. */
  readonly warnings?: readonly string[];
}

export interface Authenticated extends AuthenticationNotes {
  readonly kind: 'authenticated';
  readonly user: UserInfo;
  /** The audiences of the credential among those asked for; absent when no authenticator checked them. */
  readonly audiences?: readonly string[];
}

export interface Refused extends AuthenticationNotes {
  readonly kind: 'refused';
  readonly reasons: readonly string[];
}

export type Authentication =
  | Authenticated
  /** The request has no credential of this authenticator's kind, or one that belongs to another authenticator. */
  | { readonly kind: 'absent' }
  /** The credential is invalid; has the reason of each authenticator that examined it. */
  | Refused;

/** Synchronous unless the authenticator has to wait. */
export type MaybeAuthentication = Authentication | Promise<Authentication>;

export interface Authenticator {
  readonly name: string;
  authenticate(request: ApiRequest): MaybeAuthentication;
}

/** Runs an authenticator as a step that observers see. */
export function askAuthenticator(authenticator: Authenticator, request: ApiRequest): MaybeAuthentication {
  const { observer } = request;
  if (observer === undefined) return authenticator.authenticate(request);
  const report = (found: Authentication): Authentication => {
    observer.note?.({ found: found.kind });
    return found;
  };
  const find = (): MaybeAuthentication => {
    const found = authenticator.authenticate(request);
    return found instanceof Promise ? found.then(report) : report(found);
  };
  return runStepInTurn(
    observer,
    `authenticator/${authenticator.name}`,
    find,
    undefined,
    authenticator.authenticate,
  );
}

export interface TokenAuthenticator {
  readonly name: string;
  /** @param audiences the token must be meant for at least one of these; any if empty */
  authenticateToken(token: string, audiences: readonly string[]): MaybeAuthentication;
}

export const absent: Authentication = { kind: 'absent' };

export const refused = (...reasons: readonly string[]): Authentication => ({ kind: 'refused', reasons });

/** `a`, or `[a, b]`. */
export const reasonText = (reasons: readonly string[]): string => aggregateText(reasons);
