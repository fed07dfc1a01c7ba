import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../../meta/columns.ts';
import type { MetaObject } from '../../../meta/kind-object.ts';
import type { EndpointSubset } from '../endpoint-subset.ts';

export const endpointsColumns: readonly Column<MetaObject & { subsets?: EndpointSubset[] }>[] = [
  nameColumn,
  column('Endpoints', ({ subsets }) => formatSubsets(subsets ?? [])),
  ageColumn,
];

const shownMax = 3;

function formatSubsets(subsets: readonly EndpointSubset[]): string {
  if (subsets.length === 0) return '<none>';
  const all = subsets.flatMap(({ addresses, ports }) => {
    const hosts = (addresses ?? []).map(({ ip }) => ip);
    if ((ports ?? []).length === 0) return hosts;
    return (ports ?? []).flatMap(({ port }) => hosts.map((host) => hostAndPort(host, port)));
  });
  const shown = all.slice(0, shownMax).join(',');
  return all.length > shownMax ? `${shown} + ${all.length - shownMax} more...` : shown;
}

const hostAndPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
