import { always, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const ObjectFieldSelector = struct(
  'core/v1.ObjectFieldSelector',
  {
    apiVersion: optional(1, string, { default: 'v1', go: 'APIVersion' }),
    fieldPath: always(2, string, { required: true }),
  },
  { atomic: true },
);
export interface ObjectFieldSelector extends Static<typeof ObjectFieldSelector> {}
