import { anonymousUser } from '../user.ts';
import { absent, type Authentication, type Authenticator } from './authenticator.ts';

export interface AnonymousAccess {
  readonly enabled: boolean;
  /** The only paths that may be asked for without credentials; none: all. */
  readonly paths?: readonly string[];
}

const letIn: Authentication = { kind: 'authenticated', user: anonymousUser };

/** Who shows nothing is anonymous; who showed something bad was refused before. */
export function anonymous({ enabled, paths = [] }: AnonymousAccess): Authenticator {
  const allowed = new Set(paths);
  return {
    name: 'anonymous',
    authenticate: ({ info }) => (enabled && (allowed.size === 0 || allowed.has(info.path)) ? letIn : absent),
  };
}
