import * as t from '@coxswain/schema';

export const GroupVersionResource = t.struct('meta/v1.GroupVersionResource', {
  group: t.always(1, t.string),
  version: t.always(2, t.string),
  resource: t.always(3, t.string),
});
export interface GroupVersionResource extends t.Static<typeof GroupVersionResource> {}
