/** Who sends a request: each authenticator looks at one kind of credential. */
import { aggregateText, runStepInTurn } from '@coxswain/apimachinery';
import type { ApiRequest } from '../http/api-request.ts';
import type { UserInfo } from '../user.ts';

/** What an authenticator has to say beside who it is. */
export interface AuthenticationNotes {
  /** For the audit event. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** For the client. */
  readonly warnings?: readonly string[];
}

export interface Authenticated extends AuthenticationNotes {
  readonly kind: 'authenticated';
  readonly user: UserInfo;
  /** Whom the credential is meant for, as far as it was asked; absent: nobody looked. */
  readonly audiences?: readonly string[];
}

export interface Refused extends AuthenticationNotes {
  readonly kind: 'refused';
  readonly reasons: readonly string[];
}

export type Authentication =
  | Authenticated
  /** This authenticator's kind of credential was not there, or is another's. */
  | { readonly kind: 'absent' }
  /** The credential was there and is bad; for each authenticator that looked, why. */
  | Refused;

/** Synchronous where nothing has to be waited for. */
export type MaybeAuthentication = Authentication | Promise<Authentication>;

export interface Authenticator {
  readonly name: string;
  authenticate(request: ApiRequest): MaybeAuthentication;
}

/** What it finds, as a step for whoever watches. */
export function askAuthenticator(authenticator: Authenticator, request: ApiRequest): MaybeAuthentication {
  const { observer } = request;
  if (observer === undefined) return authenticator.authenticate(request);
  const tell = (found: Authentication): Authentication => {
    observer.note?.({ found: found.kind });
    return found;
  };
  const find = (): MaybeAuthentication => {
    const found = authenticator.authenticate(request);
    return found instanceof Promise ? found.then(tell) : tell(found);
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
  /** @param audiences whom the token must be meant for, one of them at least; none: anybody */
  authenticateToken(token: string, audiences: readonly string[]): MaybeAuthentication;
}

export const absent: Authentication = { kind: 'absent' };

export const refused = (...reasons: readonly string[]): Authentication => ({ kind: 'refused', reasons });

/** `a`, or `[a, b]`. */
export const reasonText = (reasons: readonly string[]): string => aggregateText(reasons);
