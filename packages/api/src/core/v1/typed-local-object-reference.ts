import { always, nullable, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const TypedLocalObjectReference = struct(
  'core/v1.TypedLocalObjectReference',
  {
    apiGroup: nullable(1, string, { go: 'APIGroup' }),
    kind: always(2, string, { required: true }),
    name: always(3, string, { required: true }),
  },
  { atomic: true },
);
export interface TypedLocalObjectReference extends Static<typeof TypedLocalObjectReference> {}
