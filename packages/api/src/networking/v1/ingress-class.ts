import * as t from '@coxswain/schema';
import { ingressClassColumns } from './ingress-class-columns.ts';
import { validateIngressClass } from './ingress-class-validation.ts';
import { IngressClassSpec } from './ingress-class-spec.ts';

export const IngressClass = t.kind(
  'networking/v1.IngressClass',
  'networking.k8s.io/v1',
  { plural: 'ingressclasses', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, IngressClassSpec),
  },
  {
    validate: validateIngressClass,
    columns: ingressClassColumns,
  },
);
export interface IngressClass extends t.Static<typeof IngressClass> {}
