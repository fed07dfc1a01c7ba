/**
 * What a backup leaves out, and why: objects that controllers create again, and state that is specific to one cluster
 * or starts afresh in the next.
 */
import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client/discovery/discovered.ts';

type Named = Pick<ApiResource, 'group' | 'resource' | 'verbs'>;

/** By resource, in the form `resource.group`. */
const kinds: Readonly<Record<string, string>> = {
  events: 'what happened in this cluster',
  'events.events.k8s.io': 'what happened in this cluster',
  'leases.coordination.k8s.io': 'heartbeats and leadership of this cluster',
  nodes: 'nodes register themselves',
  'csinodes.storage.k8s.io': 'nodes register themselves',
  'csistoragecapacities.storage.k8s.io': 'drivers report them',
  'volumeattachments.storage.k8s.io': 'volumes are attached again',
  'resourceslices.resource.k8s.io': 'drivers report them',
  'certificatesigningrequests.certificates.k8s.io': 'certificates of this cluster',
  endpoints: 'made from Services',
  'endpointslices.discovery.k8s.io': 'made from Services',
  'ipaddresses.networking.k8s.io': 'allocated with Services',
  'servicecidrs.networking.k8s.io': 'the address range of this cluster',
  'storageversions.internal.apiserver.k8s.io': 'of the servers of this cluster',
  componentstatuses: 'of this cluster',
};

interface Known extends KubeObject {
  readonly type?: string;
  readonly spec?: { readonly selector?: unknown };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Undefined for resources that belong in a backup. */
export function whyNoneAreKept({ group, resource, verbs }: Named): string | undefined {
  if (!verbs.includes('list') || !verbs.includes('create')) return 'cannot be listed and created';
  if (group === 'metrics.k8s.io') return 'measured';
  return kinds[nameOf({ group, resource })];
}

const rules: readonly (readonly [why: string, isSo: (object: Known, name: string) => boolean])[] = [
  ['is being deleted', ({ metadata }) => metadata.deletionTimestamp !== undefined],
  ['made by its controller', (object, name) => name === 'pods' && controllerOf(object) !== undefined],
  ['made by its CronJob', (object, name) => name === 'jobs.batch' && controllerOf(object) === 'CronJob'],
  ['finished, and would run again', (object, name) => name === 'jobs.batch' && isFinished(object)],
  ['finished, and would run again', (object, name) => name === 'pods' && hasEnded(object)],
  ['kept by the server', (object) => isKeptByServer(object)],
  [
    'made in every namespace',
    ({ metadata }, name) => name === 'configmaps' && metadata.name === 'kube-root-ca.crt',
  ],
  [
    'keys and tokens of this cluster',
    (object, name) => name === 'secrets' && clusterSecrets.has(object.type ?? ''),
  ],
  [
    'tells how to join this cluster',
    ({ metadata }, name) => name === 'configmaps' && ownMaps.has(`${metadata.namespace}/${metadata.name}`),
  ],
  [
    'the API of this cluster',
    ({ metadata }, name) =>
      name === 'services' && metadata.namespace === 'default' && metadata.name === 'kubernetes',
  ],
];

/** Undefined for objects that belong in a backup. */
export const whyNotKept = (
  resource: Pick<Named, 'group' | 'resource'>,
  object: KubeObject,
): string | undefined => rules.find(([, isSo]) => isSo(object, nameOf(resource)))?.[0];

const nameOf = ({ group, resource }: Pick<Named, 'group' | 'resource'>): string =>
  group === '' ? resource : `${resource}.${group}`;

const clusterSecrets: ReadonlySet<string> = new Set([
  'kubernetes.io/service-account-token',
  'bootstrap.kubernetes.io/token',
]);

const ownMaps: ReadonlySet<string> = new Set([
  'kube-public/cluster-info',
  'kube-system/kubeadm-config',
  'kube-system/kubelet-config',
  'kube-system/extension-apiserver-authentication',
  'kube-system/kube-apiserver-legacy-service-account-token-tracking',
]);

const controllerOf = ({ metadata }: KubeObject): string | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true)?.kind;

const isFinished = ({ status }: Known): boolean =>
  status?.conditions?.some(
    ({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True',
  ) === true;

const hasEnded = (pod: Known): boolean =>
  ['Succeeded', 'Failed'].includes((pod.status as { readonly phase?: string } | undefined)?.phase ?? '');

const isKeptByServer = ({
  metadata: { labels, annotations, name = '' },
  apiVersion = '',
}: KubeObject): boolean =>
  labels?.['kubernetes.io/bootstrapping'] !== undefined ||
  labels?.['kube-aggregator.kubernetes.io/automanaged'] !== undefined ||
  annotations?.['apf.kubernetes.io/autoupdate-spec'] === 'true' ||
  (apiVersion.startsWith('scheduling.k8s.io/') && name.startsWith('system-'));
