/** In which order objects are restored: what others need first, what would hold others up last. */
import type { ApiResource } from '@coxswain/client/discovery/discovered.ts';

/** Resources with a place of their own; all others stand where `others` is. */
const order: readonly (readonly string[])[] = [
  ['namespaces'],
  ['customresourcedefinitions'],
  [
    'priorityclasses',
    'storageclasses',
    'volumeattributesclasses',
    'runtimeclasses',
    'ingressclasses',
    'csidrivers',
    'deviceclasses',
  ],
  ['clusterroles', 'roles', 'clusterrolebindings', 'rolebindings', 'serviceaccounts'],
  ['secrets', 'configmaps'],
  ['persistentvolumes'],
  ['persistentvolumeclaims', 'services', 'networkpolicies'],
  ['others'],
  ['deployments', 'statefulsets', 'daemonsets', 'replicationcontrollers', 'cronjobs', 'jobs'],
  ['replicasets', 'controllerrevisions'],
  ['pods', 'horizontalpodautoscalers', 'poddisruptionbudgets'],
  // They may change or refuse what comes after them.
  ['limitranges', 'resourcequotas'],
  ['validatingadmissionpolicies', 'mutatingadmissionpolicies'],
  ['validatingadmissionpolicybindings', 'mutatingadmissionpolicybindings'],
  ['apiservices', 'validatingwebhookconfigurations', 'mutatingwebhookconfigurations'],
];
const places = new Map(order.flatMap((names, place) => names.map((name) => [name, place] as const)));
const others = places.get('others')!;

const placeOf = ({ group, resource }: ApiResource): number => {
  const isCustom = group.includes('.') && !group.endsWith('.k8s.io');
  return isCustom ? others : (places.get(resource) ?? others);
};

export const inOrder = (resources: readonly ApiResource[]): readonly ApiResource[] =>
  resources.toSorted((one, other) => placeOf(one) - placeOf(other));
