import * as t from '@coxswain/schema';

export const ResourceFieldSelector = t.struct(
  'core/v1.ResourceFieldSelector',
  {
    containerName: t.optional(1, t.string),
    resource: t.always(2, t.string, { required: true }),
    divisor: t.optional(3, t.quantity),
  },
  { atomic: true },
);
export interface ResourceFieldSelector extends t.Static<typeof ResourceFieldSelector> {}
