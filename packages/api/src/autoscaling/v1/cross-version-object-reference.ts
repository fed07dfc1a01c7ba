import { always, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const CrossVersionObjectReference = struct(
  'autoscaling/v1.CrossVersionObjectReference',
  {
    kind: always(1, string, { required: true }),
    name: always(2, string, { required: true }),
    apiVersion: optional(3, string, { go: 'APIVersion' }),
  },
  { atomic: true },
);
export interface CrossVersionObjectReference extends Static<typeof CrossVersionObjectReference> {}
