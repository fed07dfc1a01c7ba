import { optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const LocalObjectReference = struct(
  'core/v1.LocalObjectReference',
  {
    name: optional(1, string, { default: '', defaultPublished: true }),
  },
  { atomic: true },
);
export interface LocalObjectReference extends Static<typeof LocalObjectReference> {}
