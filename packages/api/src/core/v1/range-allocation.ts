import * as t from '@coxswain/schema';

export const RangeAllocation = t.kind('core/v1.RangeAllocation', 'v1', undefined, {
  metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
  range: t.always(2, t.string),
  data: t.always(3, t.bytes),
});
export interface RangeAllocation extends t.Static<typeof RangeAllocation> {}
