import * as t from '@coxswain/schema';

export const GroupVersion = t.struct('meta/v1.GroupVersion', {
  group: t.always(1, t.string),
  version: t.always(2, t.string),
});
export interface GroupVersion extends t.Static<typeof GroupVersion> {}
