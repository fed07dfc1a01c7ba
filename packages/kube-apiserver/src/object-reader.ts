/** Reads stored objects for admission, controllers and allocators of the server. */
import type { GroupResource } from '@coxswain/apimachinery';
import type { Awaitable } from '@coxswain/apiserver';

export interface ObjectReader {
  /** Returns a shared, immutable object. The namespace is empty for cluster-scoped objects. */
  get<T>(resource: GroupResource, namespace: string, name: string): Awaitable<T | undefined>;
  /** Lists one namespace, or all when it is empty. */
  list<T>(resource: GroupResource, namespace: string): Awaitable<readonly T[]>;
}

const core = (resource: string): GroupResource => ({ group: '', resource });

export const resources = {
  namespaces: core('namespaces'),
  nodes: core('nodes'),
  pods: core('pods'),
  persistentVolumeClaims: core('persistentvolumeclaims'),
  limitRanges: core('limitranges'),
  resourceQuotas: core('resourcequotas'),
  serviceAccounts: core('serviceaccounts'),
  secrets: core('secrets'),
  services: core('services'),
  endpoints: core('endpoints'),
  endpointSlices: { group: 'discovery.k8s.io', resource: 'endpointslices' },
  apiServices: { group: 'apiregistration.k8s.io', resource: 'apiservices' },
  priorityClasses: { group: 'scheduling.k8s.io', resource: 'priorityclasses' },
  runtimeClasses: { group: 'node.k8s.io', resource: 'runtimeclasses' },
  storageClasses: { group: 'storage.k8s.io', resource: 'storageclasses' },
  deviceClasses: { group: 'resource.k8s.io', resource: 'deviceclasses' },
  resourceClaims: { group: 'resource.k8s.io', resource: 'resourceclaims' },
  podPresets: { group: 'settings.k8s.io', resource: 'podpresets' },
  ingresses: { group: 'networking.k8s.io', resource: 'ingresses' },
  ingressClasses: { group: 'networking.k8s.io', resource: 'ingressclasses' },
} as const;
