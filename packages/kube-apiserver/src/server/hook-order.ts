/**
 * The hooks of the original that run once it listens, in the order in which `/readyz?verbose` tells of them. Some
 * start something here too (`hooks.ts`); the others are complete with what they are named after: what the server is
 * assembled of, or what the store has when the bootstrap is done.
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

/** What only one way of bounding requests has. */
export const hooksOfFairness: ReadonlySet<string> = new Set([
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'max-in-flight-filter',
]);

/** The check that is told behind this hook. */
export const registrationHook = 'kube-apiserver-autoregistration';
