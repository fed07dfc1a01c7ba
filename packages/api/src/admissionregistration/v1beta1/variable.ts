import { always, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const Variable = struct(
  'admissionregistration/v1beta1.Variable',
  {
    name: always(1, string, { required: true, proto: 'Name' }),
    expression: always(2, string, { required: true, proto: 'Expression' }),
  },
  { atomic: true },
);
export interface Variable extends Static<typeof Variable> {}
