import { always, optional, quantity, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const ResourceFieldSelector = struct(
  'core/v1.ResourceFieldSelector',
  {
    containerName: optional(1, string),
    resource: always(2, string, { required: true }),
    divisor: optional(3, quantity),
  },
  { atomic: true },
);
export interface ResourceFieldSelector extends Static<typeof ResourceFieldSelector> {}
