import { EndpointSlice } from '@coxswain/api/discovery/v1/index.ts';
import { resource, served } from '../resource.ts';
import type { Group } from '../resource.ts';
import { endpointSliceStrategy } from './endpoint-slice-strategy.ts';

export const discoveryGroup: Group = {
  name: 'discovery.k8s.io',
  versions: [served('v1')],
  resources: [
    resource(EndpointSlice, {
      ...endpointSliceStrategy,
      generation: { onCreate: true, on: ['addressType', 'endpoints', 'ports', 'metadata.labels'] },
    }),
  ],
};
