/** The state of the cluster, indexed by the parts of names. */

import type { EndpointSlice } from '@coxswain/api/discovery/v1/endpoint-slice.ts';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import type { InformerFactory, Lister } from '@coxswain/client';

export type ServiceObject = Service & KubeObject;
export type EndpointSliceObject = EndpointSlice & KubeObject;

export interface ClusterView {
  hasNamespace(name: string): boolean;
  service(namespace: string, name: string): ServiceObject | undefined;
  slicesOf(namespace: string, service: string): readonly EndpointSliceObject[];
  serviceByAddress(address: string): ServiceObject | undefined;
  slicesByAddress(address: string): readonly EndpointSliceObject[];
  /** Incremented by changes: the serial number of the zone. */
  readonly serial: number;
}

const namespaces = { group: '', version: 'v1', resource: 'namespaces' } as const;
const services = { group: '', version: 'v1', resource: 'services' } as const;
const endpointSlices = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' } as const;

export const serviceNameLabel = 'kubernetes.io/service-name';
const byAddress = 'dns/address';
const byService = 'dns/service';

export interface WatchedView extends ClusterView {
  /** Resolves when all existing objects have been seen. */
  readonly synced: Promise<void>;
}

export function watchCluster(informers: InformerFactory): WatchedView {
  const namespaceInformer = informers.informer<KubeObject>(namespaces);
  const serviceInformer = informers.informer<ServiceObject>(services, {
    [byAddress]: ({ spec }) => (spec?.clusterIPs ?? []).filter((address) => address !== 'None'),
  });
  const sliceInformer = informers.informer<EndpointSliceObject>(endpointSlices, {
    [byAddress]: ({ endpoints }) => (endpoints ?? []).flatMap(({ addresses }) => [...(addresses ?? [])]),
    [byService]: ({ metadata }) => [`${metadata.namespace}/${metadata.labels?.[serviceNameLabel]}`],
  });
  let serial = 1;
  const changed = (): void => void (serial = (serial + 1) >>> 0);
  for (const informer of [serviceInformer, sliceInformer]) {
    informer.addHandler({ added: changed, updated: changed, deleted: changed });
  }
  const synced = Promise.all([namespaceInformer.synced, serviceInformer.synced, sliceInformer.synced]);
  const listers: readonly [Lister<KubeObject>, Lister<ServiceObject>, Lister<EndpointSliceObject>] = [
    namespaceInformer.lister,
    serviceInformer.lister,
    sliceInformer.lister,
  ];
  const [namespaceLister, serviceLister, sliceLister] = listers;
  return {
    synced: synced.then(() => undefined),
    hasNamespace: (name) => namespaceLister.get(name) !== undefined,
    service: (namespace, name) => serviceLister.get(name, namespace),
    slicesOf: (namespace, service) => sliceLister.byIndex(byService, `${namespace}/${service}`),
    serviceByAddress: (address) => serviceLister.byIndex(byAddress, address)[0],
    slicesByAddress: (address) => sliceLister.byIndex(byAddress, address),
    get serial() {
      return serial;
    },
  };
}
