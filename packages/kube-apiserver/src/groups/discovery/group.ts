import { EndpointSlice } from '@coxswain/api/discovery/v1/index.ts';
import { EndpointSlice as EndpointSliceV1beta1 } from '@coxswain/api/discovery/v1beta1.ts';
import { legacy, legacyVersion, resource, served, type Group } from '../resource.ts';
import { endpointSliceConversion } from './convert-endpoint-slice.ts';
import { endpointSliceStrategy } from './endpoint-slice-strategy.ts';

export const discoveryGroup: Group = {
  name: 'discovery.k8s.io',
  versions: [served('v1'), legacyVersion('v1beta1')],
  resources: [
    resource(EndpointSlice, {
      ...endpointSliceStrategy,
      gatedMembers: ['endpoints'],
      alsoAs: [legacy(EndpointSliceV1beta1, { conversion: endpointSliceConversion })],
      generation: { onCreate: true, on: [] },
    }),
  ],
};
