import * as t from '@coxswain/schema';

export const GroupVersionKind = t.struct('meta/v1.GroupVersionKind', {
  group: t.always(1, t.string),
  version: t.always(2, t.string),
  kind: t.always(3, t.string),
});
export interface GroupVersionKind extends t.Static<typeof GroupVersionKind> {}
