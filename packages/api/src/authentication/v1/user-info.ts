import { atomicList, map, optional, string, struct, wrappedList, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const UserInfo = struct('authentication/v1.UserInfo', {
  username: optional(1, string),
  uid: optional(2, string, { go: 'UID' }),
  groups: optional(3, atomicList(string)),
  extra: optional(4, map(named('v1.ExtraValue', wrappedList(string)))),
});
export interface UserInfo extends Static<typeof UserInfo> {}
