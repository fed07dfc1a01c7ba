import { anonymousUser, type UserInfo } from '../user.ts';
import { absent, type Authentication, type Authenticator } from './authenticator.ts';
import { withAuthenticatedGroup } from './union.ts';

/** One value per user, since authorizers cache by it. */
const known = new WeakMap<UserInfo, Authentication>();

/** An in-process transport names its user itself. */
export const inProcessUser: Authenticator = {
  name: 'in-process',
  authenticate({ incoming: { peer } }) {
    const { user } = peer;
    if (user === undefined) return absent;
    let found = known.get(user);
    if (found === undefined) {
      const isAnonymous = user.groups.includes(anonymousUser.groups[0]!);
      found = { kind: 'authenticated', user: isAnonymous ? user : withAuthenticatedGroup(user) };
      known.set(user, found);
    }
    return found;
  },
};
