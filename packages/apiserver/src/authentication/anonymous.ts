import { anonymousUser } from '../user.ts';
import { absent } from './authenticator.ts';
import type { Authenticator } from './authenticator.ts';

/** Who shows nothing is anonymous; who showed something bad was refused before. */
export const anonymous = (enabled: boolean): Authenticator => ({
  name: 'anonymous',
  authenticate: () => (enabled ? { kind: 'authenticated', user: anonymousUser } : absent),
});
