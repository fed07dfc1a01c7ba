import * as t from '@coxswain/schema';

export const ParamKind = t.struct(
  'admissionregistration/v1alpha1.ParamKind',
  {
    apiVersion: t.optional(1, t.string, { go: 'APIVersion' }),
    kind: t.optional(2, t.string),
  },
  { atomic: true },
);
export interface ParamKind extends t.Static<typeof ParamKind> {}
