/** Determines the pods of a service, and when they change. */

import { deepEqual } from '@coxswain/apimachinery';
import { objectKey, type Informer, type Lister } from '@coxswain/client';
import type { Pod, Service } from '../objects.ts';
import { isReady, podCondition } from '../pods/pod-state.ts';

export const lastChangeAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time';
export const headlessLabel = 'service.kubernetes.io/headless';

export type ServicePort = NonNullable<NonNullable<Service['spec']>['ports']>[number];

/** Calls `wake` with the service's key whenever its pods, or it itself, may have changed. */
export function watchServicePods(
  services: Informer<Service>,
  pods: Informer<Pod>,
  wake: (key: string) => void,
): void {
  const wakeSelecting = (pod: Pod, before?: Pod) => {
    for (const service of services.lister.list(pod.metadata.namespace)) {
      if (selects(service, pod) || (before !== undefined && selects(service, before)))
        wake(objectKey(service));
    }
  };
  services.addHandler({
    added: (service) => wake(objectKey(service)),
    updated: (_before, after) => wake(objectKey(after)),
    deleted: (service) => wake(objectKey(service)),
  });
  pods.addHandler({
    added: (pod) => wakeSelecting(pod),
    updated(before, after) {
      if (concernsEndpoints(before, after))
        wakeSelecting(after, sameLabels(before, after) ? undefined : before);
    },
    deleted: (pod) => wakeSelecting(pod),
  });
}

export const podsOf = (service: Service, pods: Lister<Pod>): Pod[] =>
  pods.list(service.metadata.namespace).filter((pod) => selects(service, pod));

/** The endpoints of a service without a selector are managed by others. */
export function selects({ spec }: Service, { metadata }: Pod): boolean {
  const { selector } = spec ?? {};
  if (selector === undefined || selector === null) return false;
  for (const key in selector) if (metadata.labels?.[key] !== selector[key]) return false;
  return true;
}

/** Whether the pod could ever receive traffic. */
export function hasEndpoint(pod: Pod, terminatingToo: boolean): boolean {
  const { phase, podIP, podIPs } = pod.status ?? {};
  if (phase === 'Failed' || phase === 'Succeeded') return false;
  if (!podIP && !podIPs?.length) return false;
  return terminatingToo || pod.metadata.deletionTimestamp === undefined;
}

/** Returns the port number on this pod; undefined if it has no port of that name. */
export function targetPort(pod: Pod, { targetPort: target, protocol }: ServicePort): number | undefined {
  if (typeof target !== 'string') return target;
  const sidecars = (pod.spec?.initContainers ?? []).filter(
    (container) => container.restartPolicy === 'Always',
  );
  for (const { ports = [] } of [...(pod.spec?.containers ?? []), ...sidecars]) {
    const found = ports?.find((port) => port.name === target && port.protocol === protocol);
    if (found !== undefined) return found.containerPort;
  }
  return undefined;
}

export const hostnameOf = (pod: Pod, service: Service): string | undefined =>
  pod.spec?.hostname && pod.spec.subdomain === service.metadata.name ? pod.spec.hostname : undefined;

export const isHeadless = ({ spec }: Service): boolean => !spec?.clusterIP || spec.clusterIP === 'None';

/** Tracks when the change that is being written happened: the earliest of the unseen changes. */
export class TriggerTimeTracker {
  readonly #known = new Map<string, Map<string, string>>();

  changed(service: Service, pods: readonly Pod[]): string | undefined {
    const key = objectKey(service);
    const before = this.#known.get(key);
    const now = new Map<string, string>();
    let earliest: string | undefined;
    const note = (name: string, time: string | undefined) => {
      if (time === undefined) return;
      now.set(name, time);
      if ((before === undefined || before.get(name) !== time) && (earliest === undefined || time < earliest))
        earliest = time;
    };
    for (const pod of pods) note(pod.metadata.name ?? '', podCondition(pod, 'Ready')?.lastTransitionTime);
    note('/service', service.metadata.creationTimestamp);
    this.#known.set(key, now);
    return earliest;
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}

const sameLabels = (a: Pod, b: Pod): boolean =>
  a.metadata.labels === b.metadata.labels || deepEqual(a.metadata.labels, b.metadata.labels);

function concernsEndpoints(before: Pod, after: Pod): boolean {
  if (before.metadata.resourceVersion === after.metadata.resourceVersion) return false;
  return (
    before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp ||
    before.status?.phase !== after.status?.phase ||
    before.status?.podIP !== after.status?.podIP ||
    before.spec?.nodeName !== after.spec?.nodeName ||
    isReady(before) !== isReady(after) ||
    !deepEqual(before.status?.podIPs, after.status?.podIPs) ||
    !sameLabels(before, after)
  );
}
