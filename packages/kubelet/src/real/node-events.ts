/** Records events about a node and its pods in the kubelet's name. */
import type { Clock, Random } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { EventBroadcaster, TokenBucket } from '@coxswain/client';
import { podReference } from '../pod/pod-reference.ts';
import type { PodEvent } from '../pod/pod-worker-context.ts';
import type { RealKubeletOptions } from '../config/real-kubelet-options.ts';

export interface NodeEvents {
  readonly event: (pod: Pod, event: PodEvent) => void;
  readonly nodeEvent: (type: PodEvent['type'], reason: string, message: string) => void;
}

export function nodeEvents(
  { client, settings, nodeName, signal }: RealKubeletOptions,
  { clock, random, onError }: { clock: Clock; random: Random; onError: (error: unknown) => void },
): NodeEvents {
  const pace = new TokenBucket(clock, settings.eventRecordQPS || Infinity, settings.eventBurst);
  const paced = client.with({ rateLimiter: pace });
  const broadcaster = new EventBroadcaster({ client: paced, clock, random, onError, signal });
  const recorder = broadcaster.recorder('kubelet', nodeName);
  const node = { kind: 'Node', name: nodeName, uid: nodeName };
  return {
    event: (pod, { type, reason, message, container, annotations }) =>
      recorder.event(podReference(pod, container), type, reason, message, annotations),
    nodeEvent: (type, reason, message) => recorder.event(node, type, reason, message),
  };
}
