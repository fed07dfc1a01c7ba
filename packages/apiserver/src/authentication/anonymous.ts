import { anonymousUser } from '../user.ts';
import { absent, type Authentication, type Authenticator } from './authenticator.ts';

export interface AnonymousAccess {
  readonly enabled: boolean;
  /** The paths that may be requested without credentials; all if empty. */
  readonly paths?: readonly string[];
}

const letIn: Authentication = { kind: 'authenticated', user: anonymousUser };

/** Authenticates requests without credentials as anonymous; those with bad credentials were refused before. */
export function anonymous({ enabled, paths = [] }: AnonymousAccess): Authenticator {
  const allowed = new Set(paths);
  return {
    name: 'anonymous',
    authenticate: ({ info }) => (enabled && (allowed.size === 0 || allowed.has(info.path)) ? letIn : absent),
  };
}
