import { always, bytes, kind, ObjectMeta, optional, string } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const RangeAllocation = kind('core/v1.RangeAllocation', 'v1', undefined, {
  metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
  range: always(2, string),
  data: always(3, bytes),
});
export interface RangeAllocation extends Static<typeof RangeAllocation> {}
