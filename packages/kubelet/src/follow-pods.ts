/** Watches the pods that the API assigns to this node. */
import { Informer, type KubeClient } from '@coxswain/client';
import type { Clock, KubeObject, Random } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Kubelet } from './kubelet.ts';
import type { KubeletMetrics } from './metrics/kubelet-metrics.ts';
import { SeenPods } from './pod/seen-pods.ts';
import { isMirror, type StaticPods } from './static-pods/static-pods.ts';

export interface FollowOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly nodeName: string;
  readonly kubelet: Kubelet;
  readonly staticPods: StaticPods;
  readonly metrics: KubeletMetrics;
  readonly onError: (error: unknown) => void;
}

/** Passes the node's pods to the kubelet; resolves when all existing ones were passed. */
export async function followPods(options: FollowOptions) {
  const { client, clock, random, signal, nodeName, kubelet, staticPods, metrics, onError } = options;
  const informer = new Informer<Pod & KubeObject>({
    resource: client.resource('v1', 'pods'),
    fieldSelector: `spec.nodeName=${nodeName}`,
    clock,
    random,
    onError,
  });
  const seen = new SeenPods(clock);
  const changed = (pod: Pod) => {
    if (isMirror(pod)) return staticPods.mirrorChanged(pod);
    metrics.podSeen(pod);
    kubelet.podChanged(seen.marked(pod));
  };
  const gone = (pod: Pod) => {
    if (isMirror(pod)) return staticPods.mirrorGone(pod);
    kubelet.podGone(seen.marked(pod));
    seen.forget(pod);
    metrics.podGone(pod);
  };
  informer.addHandler({
    added: changed,
    updated(before, after) {
      if (before.metadata.uid !== after.metadata.uid) gone(before);
      changed(after);
    },
    deleted: gone,
  });
  const running = informer.run(signal);
  await informer.synced;
  return { running };
}
