/** The services and endpoints of a cluster at one moment, for commands that resolve names. */

import type { KubeClient } from '@coxswain/client';
import {
  serviceNameLabel,
  type ClusterView,
  type EndpointSliceObject,
  type ServiceObject,
} from '@coxswain/cluster-dns/zone/cluster-view.ts';

/** Commands resolve names rarely, so nothing is watched. @throws the API's error */
export async function readCluster(client: KubeClient): Promise<ClusterView> {
  const [services, slices] = await Promise.all([
    client.resource<ServiceObject>('v1', 'services').list(),
    client.resource<EndpointSliceObject>('discovery.k8s.io/v1', 'endpointslices').list(),
  ]);
  const isOf = (namespace: string, service: string) => (slice: EndpointSliceObject) =>
    slice.metadata.namespace === namespace && slice.metadata.labels?.[serviceNameLabel] === service;
  return {
    // A namespace that does not exist has no services either.
    hasNamespace: () => true,
    service: (namespace, name) =>
      services.items.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
    slicesOf: (namespace, service) => slices.items.filter(isOf(namespace, service)),
    serviceByAddress: (address) => services.items.find(({ spec }) => spec?.clusterIPs?.includes(address)),
    slicesByAddress: (address) =>
      slices.items.filter(({ endpoints }) =>
        endpoints?.some(({ addresses }) => addresses?.includes(address)),
      ),
    serial: 1,
  };
}
