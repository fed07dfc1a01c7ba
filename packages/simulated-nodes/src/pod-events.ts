/** The events that the kubelets of simulated nodes write about their pods. */

import type { Clock, Random } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { EventBroadcaster, TokenBucket, type EventRecorder } from '@coxswain/client';
import { eventBurstDefault, eventsPerSecondDefault } from '@coxswain/kubelet/event-limits.ts';
import type { PodEvent } from '@coxswain/kubelet/pod/pod-worker-context.ts';
import type { StartSimulatedKubeletsOptions } from './start-options.ts';

/** All nodes share one limit, as they share a process. */
export function eventRecorders(
  options: StartSimulatedKubeletsOptions,
  clock: Clock,
  random: Random,
  onError: (error: unknown) => void,
): (nodeName: string) => EventRecorder {
  const perSecond = options.eventsPerSecond ?? eventsPerSecondDefault;
  const rateLimiter = new TokenBucket(clock, perSecond, options.eventBurst ?? eventBurstDefault);
  const broadcaster = new EventBroadcaster({
    client: options.client.with({ rateLimiter }),
    clock,
    random,
    onError,
    signal: options.signal,
  });
  return (nodeName) => broadcaster.recorder('kubelet', nodeName);
}

export function recordPodEvent(recorder: EventRecorder, { metadata, spec }: Pod, event: PodEvent): void {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata ?? {};
  const isInit = spec?.initContainers?.some((container) => container.name === event.container) ?? false;
  const fieldPath = event.container && `spec.${isInit ? 'initContainers' : 'containers'}{${event.container}}`;
  const reference = { kind: 'Pod', apiVersion: 'v1', namespace, name, uid, resourceVersion };
  recorder.event(
    fieldPath ? { ...reference, fieldPath } : reference,
    event.type,
    event.reason,
    event.message,
  );
}
