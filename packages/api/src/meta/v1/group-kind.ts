import * as t from '@coxswain/schema';

export const GroupKind = t.struct('meta/v1.GroupKind', {
  group: t.always(1, t.string),
  kind: t.always(2, t.string),
});
export interface GroupKind extends t.Static<typeof GroupKind> {}
