import { optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const ParamKind = struct(
  'admissionregistration/v1alpha1.ParamKind',
  {
    apiVersion: optional(1, string, { go: 'APIVersion' }),
    kind: optional(2, string),
  },
  { atomic: true },
);
export interface ParamKind extends Static<typeof ParamKind> {}
