import { always, kind, nullable, ObjectMeta, optional, pointer, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { ingressClassColumns } from './ingress-class-columns.ts';
import { validateIngressClass } from './ingress-class-validation.ts';

export const IngressClassParametersReference = struct('networking/v1.IngressClassParametersReference', {
  apiGroup: pointer(1, string, { go: 'APIGroup', proto: 'aPIGroup' }),
  kind: always(2, string, { required: true }),
  name: always(3, string, { required: true }),
  scope: nullable(4, string, { default: 'Cluster' }),
  namespace: pointer(5, string),
});
export interface IngressClassParametersReference extends Static<typeof IngressClassParametersReference> {}

export const IngressClassSpec = struct('networking/v1.IngressClassSpec', {
  controller: optional(1, string),
  parameters: pointer(2, IngressClassParametersReference),
});
export interface IngressClassSpec extends Static<typeof IngressClassSpec> {}

export const IngressClass = kind(
  'networking/v1.IngressClass',
  'networking.k8s.io/v1',
  { plural: 'ingressclasses', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, IngressClassSpec),
  },
  {
    validate: validateIngressClass,
    columns: ingressClassColumns,
  },
);
export interface IngressClass extends Static<typeof IngressClass> {}
