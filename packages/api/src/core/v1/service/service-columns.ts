import type { Column } from '@coxswain/schema';
import { ageColumn, column, formatLabels, nameColumn, wideColumn } from '../../../meta/columns.ts';
import type { StatusObject } from '../../../meta/kind-object.ts';
import type { ServiceStatus } from '../service-status.ts';
import type { ServiceSpec } from '../service-spec.ts';

type ServiceObject = StatusObject<ServiceSpec, ServiceStatus>;

export const serviceColumns: readonly Column<ServiceObject>[] = [
  nameColumn,
  column('Type', ({ spec }) => spec.type ?? ''),
  column('Cluster-IP', ({ spec }) => spec.clusterIPs?.[0] ?? '<none>'),
  column('External-IP', externalAddresses),
  column('Port(s)', ({ spec }) => portList(spec) || '<none>'),
  ageColumn,
  wideColumn('Selector', ({ spec }) => formatLabels(spec.selector)),
];

function externalAddresses({ spec, status }: ServiceObject): string {
  const own = spec.externalIPs ?? [];
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return own.join(',') || '<none>';
    case 'LoadBalancer':
      return [...balancerAddresses(status?.loadBalancer?.ingress), ...own].join(',') || '<pending>';
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

/** Unique and sorted; an address takes precedence over a host name. */
export const balancerAddresses = (
  ingress: readonly { ip?: string; hostname?: string }[] | undefined,
): readonly string[] =>
  [...new Set((ingress ?? []).map(({ ip, hostname }) => ip || hostname || ''))].filter(Boolean).sort();

const portList = ({ ports }: ServiceSpec): string =>
  (ports ?? [])
    .map(({ port, nodePort, protocol }) =>
      (nodePort ?? 0) > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
    )
    .join(',');
