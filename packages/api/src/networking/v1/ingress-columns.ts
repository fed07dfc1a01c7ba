import type { Column } from '@coxswain/schema';
import { balancerAddresses } from '../../core/v1/service/service-columns.ts';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import type { StatusObject } from '../../meta/kind-object.ts';
import type { IngressStatus } from './ingress-status.ts';
import type { IngressRule, IngressSpec } from './ingress-spec.ts';

export const ingressColumns: readonly Column<StatusObject<IngressSpec, IngressStatus>>[] = [
  nameColumn,
  column('Class', ({ spec }) => spec.ingressClassName ?? '<none>'),
  column('Hosts', ({ spec }) => hosts(spec.rules ?? [])),
  column('Address', ({ status }) => balancerAddresses(status?.loadBalancer?.ingress).join(',')),
  column('Ports', ({ spec }) => ((spec.tls ?? []).length > 0 ? '80, 443' : '80')),
  ageColumn,
];

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
