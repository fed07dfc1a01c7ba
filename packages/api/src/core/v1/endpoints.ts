import * as t from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import { validateEndpoints } from './service/endpoints-validation.ts';
import { endpointsWarnings } from './service/endpoints-warnings.ts';
import { EndpointSubset } from './endpoint-subset.ts';

export const Endpoints = t.kind(
  'core/v1.Endpoints',
  'v1',
  { plural: 'endpoints', shortNames: ['ep'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    subsets: t.optional(2, t.atomicList(EndpointSubset)),
  },
  {
    validate: validateEndpoints,
    warnings: endpointsWarnings,
    columns: [nameColumn, column('Endpoints', ({ subsets }) => formatSubsets(subsets ?? [])), ageColumn],
  },
);
export interface Endpoints extends t.Static<typeof Endpoints> {}

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
