import { absent } from './authenticator.ts';
import type { Authenticator } from './authenticator.ts';

/** A transport of the same process names its user itself. */
export const inProcessUser: Authenticator = {
  name: 'in-process',
  authenticate({ incoming: { peer } }) {
    return peer.user === undefined ? absent : { kind: 'authenticated', user: peer.user };
  },
};
