/**
 * Upstream's post-start hooks, in the order of `/readyz?verbose`. Some start something here as well (`hooks.ts`); the
 * others are complete with what they are named after: parts that the server is assembled of, or objects that the
 * bootstrap creates.
 */
export const hookOrder: readonly (readonly [name: string, completeWith: 'assembly' | 'bootstrap'])[] = [
  ['start-apiserver-admission-initializer', 'assembly'],
  ['generic-apiserver-start-informers', 'assembly'],
  ['priority-and-fairness-config-consumer', 'bootstrap'],
  ['priority-and-fairness-filter', 'assembly'],
  ['max-in-flight-filter', 'assembly'],
  ['storage-object-count-tracker-hook', 'assembly'],
  ['start-apiextensions-informers', 'assembly'],
  ['start-apiextensions-controllers', 'assembly'],
  ['crd-informer-synced', 'assembly'],
  ['start-system-namespaces-controller', 'bootstrap'],
  ['peer-endpoint-reconciler-controller', 'bootstrap'],
  ['start-cluster-authentication-info-controller', 'bootstrap'],
  ['start-kube-apiserver-identity-lease-controller', 'bootstrap'],
  ['start-kube-apiserver-identity-lease-garbage-collector', 'bootstrap'],
  ['storage-readiness', 'assembly'],
  ['start-legacy-token-tracking-controller', 'bootstrap'],
  ['start-service-ip-repair-controllers', 'bootstrap'],
  ['rbac/bootstrap-roles', 'bootstrap'],
  ['scheduling/bootstrap-system-priority-classes', 'bootstrap'],
  ['priority-and-fairness-config-producer', 'bootstrap'],
  ['bootstrap-controller', 'bootstrap'],
  ['start-kubernetes-service-cidr-controller', 'bootstrap'],
  ['start-kube-aggregator-informers', 'assembly'],
  ['apiservice-status-local-available-controller', 'bootstrap'],
  ['apiservice-status-remote-available-controller', 'bootstrap'],
  ['apiservice-registration-controller', 'assembly'],
  ['apiservice-discovery-controller', 'assembly'],
  ['kube-apiserver-autoregistration', 'bootstrap'],
  ['apiservice-openapi-controller', 'assembly'],
  ['apiservice-openapiv3-controller', 'assembly'],
];

/** Hooks that exist only with priority and fairness. */
export const hooksOfFairness: ReadonlySet<string> = new Set([
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'max-in-flight-filter',
]);

/** The hook that this check follows. */
export const registrationHook = 'kube-apiserver-autoregistration';
