import * as t from '@coxswain/schema';
import { ingressClassColumns } from '../v1/ingress-class-columns.ts';

export const IngressClassParametersReference = t.struct(
  'networking/v1beta1.IngressClassParametersReference',
  {
    apiGroup: t.pointer(1, t.string, { go: 'APIGroup', proto: 'aPIGroup' }),
    kind: t.always(2, t.string),
    name: t.always(3, t.string),
    scope: t.nullable(4, t.string),
    namespace: t.pointer(5, t.string),
  },
);
export interface IngressClassParametersReference extends t.Static<typeof IngressClassParametersReference> {}

export const IngressClassSpec = t.struct('networking/v1beta1.IngressClassSpec', {
  controller: t.optional(1, t.string),
  parameters: t.pointer(2, IngressClassParametersReference),
});
export interface IngressClassSpec extends t.Static<typeof IngressClassSpec> {}

export const IngressClass = t.kind(
  'networking/v1beta1.IngressClass',
  'networking.k8s.io/v1beta1',
  { plural: 'ingressclasses', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, IngressClassSpec),
  },
  {
    columns: ingressClassColumns,
  },
);
export interface IngressClass extends t.Static<typeof IngressClass> {}
