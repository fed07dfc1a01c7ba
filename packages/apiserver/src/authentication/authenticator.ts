/** Who sends a request: each authenticator looks at one kind of credential. */
import type { ApiRequest } from '../http/api-request.ts';
import type { UserInfo } from '../user.ts';

export type Authentication =
  | { readonly kind: 'authenticated'; readonly user: UserInfo; readonly audiences?: readonly string[] }
  /** This authenticator's kind of credential was not there, or is another's. */
  | { readonly kind: 'absent' }
  /** The credential was there and is bad. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface Authenticator {
  readonly name: string;
  authenticate(request: ApiRequest): Authentication | Promise<Authentication>;
}

export interface TokenAuthenticator {
  readonly name: string;
  authenticateToken(token: string): Authentication | Promise<Authentication>;
}

export const absent: Authentication = { kind: 'absent' };
