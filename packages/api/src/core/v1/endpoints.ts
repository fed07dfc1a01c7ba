import * as t from '@coxswain/schema';
import { endpointsColumns } from './service/endpoints-columns.ts';
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
    columns: endpointsColumns,
  },
);
export interface Endpoints extends t.Static<typeof Endpoints> {}
