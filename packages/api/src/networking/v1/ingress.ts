import * as t from '@coxswain/schema';
import { balancerAddresses } from '../../core/v1/service/service-columns.ts';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import { validateIngress, validateIngressStatus } from './ingress-validation.ts';
import { ingressWarnings } from './ingress-warnings.ts';
import { balancerStatusWarnings } from '../../core/v1/service/load-balancer-warnings.ts';
import { IngressSpec, type IngressRule } from './ingress-spec.ts';
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
    columns: [
      nameColumn,
      column('Class', ({ spec }) => spec.ingressClassName ?? '<none>'),
      column('Hosts', ({ spec }) => hosts(spec.rules ?? [])),
      column('Address', ({ status }) => balancerAddresses(status?.loadBalancer?.ingress).join(',')),
      column('Ports', ({ spec }) => ((spec.tls ?? []).length > 0 ? '80, 443' : '80')),
      ageColumn,
    ],
  },
);
export interface Ingress extends t.Static<typeof Ingress> {}

const shownMax = 3;

/** Rules without a host are not listed but counted. */
function hosts(rules: readonly IngressRule[]): string {
  const shown: string[] = [];
  for (const { host } of rules) {
    if (shown.length === shownMax) return `${shown.join(',')} + ${rules.length - shownMax} more...`;
    if (host) shown.push(host);
  }
  return shown.join(',') || '*';
}
