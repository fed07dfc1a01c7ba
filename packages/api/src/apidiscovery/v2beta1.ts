import * as t from '@coxswain/schema';
import * as v2 from './v2/api-group-discovery.ts';

export const APIGroupDiscovery = t.kindIn('apidiscovery/v2beta1', v2.APIGroupDiscovery);
export interface APIGroupDiscovery extends t.Static<typeof APIGroupDiscovery> {}
