/** The order in which objects are restored: what others need comes first, what would block others comes last. */
import type { ApiResource } from '@coxswain/client/discovery/discovered.ts';

/** Resources with a fixed position; all others are restored at `others`. */
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
  // These may change or refuse whatever is created after them.
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
