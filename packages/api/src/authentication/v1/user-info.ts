import * as t from '@coxswain/schema';

export const UserInfo = t.struct('authentication/v1.UserInfo', {
  username: t.optional(1, t.string),
  uid: t.optional(2, t.string, { go: 'UID' }),
  groups: t.optional(3, t.atomicList(t.string)),
  extra: t.optional(4, t.map(t.named('v1.ExtraValue', t.wrappedList(t.string)))),
});
export interface UserInfo extends t.Static<typeof UserInfo> {}
