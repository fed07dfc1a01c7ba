import * as t from '@coxswain/schema';

export const Variable = t.struct(
  'admissionregistration/v1.Variable',
  {
    name: t.always(1, t.string, { required: true, proto: 'Name' }),
    expression: t.always(2, t.string, { required: true, proto: 'Expression' }),
  },
  { atomic: true },
);
export interface Variable extends t.Static<typeof Variable> {}
