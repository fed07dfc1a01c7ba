import type { Work } from '@coxswain/apimachinery';
import { configMapObjects } from '../bootstrap/config-maps.ts';
import { kubernetesServiceObjects } from '../bootstrap/kubernetes-service.ts';
import { localApiService } from '../bootstrap/local-api-services.ts';
import { namespaceObjects } from '../bootstrap/namespaces.ts';
import { rbacObjects } from '../bootstrap/rbac/objects.ts';
import { serviceCidrObject } from '../bootstrap/service-cidr.ts';
import { priorityClassObjects } from '../groups/scheduling/priority-classes.ts';

interface HookPlace {
  readonly name: string;
  readonly completeWith: 'assembly' | 'bootstrap';
  /** The function that makes the objects for which the hook is named. */
  readonly work?: Work;
  /** The feature gate without which upstream has no such hook. */
  readonly gate?: string;
}

const withAssembly = (name: string): HookPlace => ({ name, completeWith: 'assembly' });

const withBootstrap = (name: string, work?: Work): HookPlace => ({
  name,
  completeWith: 'bootstrap',
  ...(work && { work }),
});

/**
 * Upstream's post-start hooks, in the order of `/readyz?verbose`. Some start something here as well (`hooks.ts`); the
 * others are complete with what they are named after: parts that the server is assembled of, or objects that the
 * bootstrap creates.
 */
export const hookOrder: readonly HookPlace[] = [
  withAssembly('start-apiserver-admission-initializer'),
  withAssembly('generic-apiserver-start-informers'),
  withBootstrap('priority-and-fairness-config-consumer'),
  withAssembly('priority-and-fairness-filter'),
  withAssembly('max-in-flight-filter'),
  withAssembly('storage-object-count-tracker-hook'),
  withAssembly('start-apiextensions-informers'),
  withAssembly('start-apiextensions-controllers'),
  withAssembly('crd-informer-synced'),
  withBootstrap('start-system-namespaces-controller', namespaceObjects),
  {
    ...withBootstrap('peer-endpoint-reconciler-controller', kubernetesServiceObjects),
    gate: 'UnknownVersionInteroperabilityProxy',
  },
  withBootstrap('start-cluster-authentication-info-controller'),
  withBootstrap('start-kube-apiserver-identity-lease-controller'),
  withBootstrap('start-kube-apiserver-identity-lease-garbage-collector'),
  { ...withAssembly('storage-readiness'), gate: 'WatchCacheInitializationPostStartHook' },
  withBootstrap('start-legacy-token-tracking-controller', configMapObjects),
  withBootstrap('start-service-ip-repair-controllers'),
  withBootstrap('rbac/bootstrap-roles', rbacObjects),
  withBootstrap('scheduling/bootstrap-system-priority-classes', priorityClassObjects),
  withBootstrap('priority-and-fairness-config-producer'),
  withBootstrap('bootstrap-controller'),
  withBootstrap('start-kubernetes-service-cidr-controller', serviceCidrObject),
  withAssembly('start-kube-aggregator-informers'),
  withBootstrap('apiservice-status-local-available-controller'),
  withBootstrap('apiservice-status-remote-available-controller'),
  withAssembly('apiservice-registration-controller'),
  withAssembly('apiservice-discovery-controller'),
  withBootstrap('kube-apiserver-autoregistration', localApiService),
  withAssembly('apiservice-openapi-controller'),
  withAssembly('apiservice-openapiv3-controller'),
];

/** Hooks that exist only with priority and fairness. */
export const hooksOfFairness: ReadonlySet<string> = new Set([
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'max-in-flight-filter',
]);

/** The hook that this check follows. */
export const registrationHook = 'kube-apiserver-autoregistration';
