import * as t from '@coxswain/schema';
import { ingressColumns } from './ingress-columns.ts';
import { validateIngress, validateIngressStatus } from './ingress-validation.ts';
import { ingressWarnings } from './ingress-warnings.ts';
import { balancerStatusWarnings } from '../../core/v1/service/load-balancer-warnings.ts';
import { IngressSpec } from './ingress-spec.ts';
import { IngressStatus } from './ingress-status.ts';

export const Ingress = t.kind(
  'networking/v1.Ingress',
  'networking.k8s.io/v1',
  { plural: 'ingresses', shortNames: ['ing'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, IngressSpec),
    status: t.optional(3, IngressStatus),
  },
  {
    validate: validateIngress,
    validateStatus: validateIngressStatus,
    warnings: ingressWarnings,
    statusWarnings: balancerStatusWarnings,
    columns: ingressColumns,
  },
);
export interface Ingress extends t.Static<typeof Ingress> {}
