import * as t from '@coxswain/schema';

export const GroupResource = t.struct('meta/v1.GroupResource', {
  group: t.always(1, t.string, { required: true }),
  resource: t.always(2, t.string, { required: true }),
});
export interface GroupResource extends t.Static<typeof GroupResource> {}
