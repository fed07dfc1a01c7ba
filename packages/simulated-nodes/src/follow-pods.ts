/** Passes pods to the kubelets of their nodes, which share one watch. */

import type { KubeObject } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { InformerFactory } from '@coxswain/client';
import type { Kubelet } from '@coxswain/kubelet/kubelet.ts';

/** The known pods of a node. */
export const podsOn = (factory: InformerFactory) => (nodeName: string) => {
  const { lister } = factory.informer<Pod & KubeObject>({ group: '', version: 'v1', resource: 'pods' });
  return lister.list().filter(({ spec }) => spec?.nodeName === nodeName);
};

/** Passes all existing pods to the kubelets of their nodes, and then every change. */
export async function followPods(
  factory: InformerFactory,
  kubeletOn: (nodeName: string) => Kubelet | undefined,
): Promise<void> {
  const informer = factory.informer<Pod & KubeObject>({ group: '', version: 'v1', resource: 'pods' });
  const kubeletOf = (pod: Pod) => (hasBegun ? kubeletOn(pod.spec?.nodeName ?? '') : undefined);
  let hasBegun = false;
  informer.addHandler({
    added: (pod) => kubeletOf(pod)?.podChanged(pod),
    updated(before, after) {
      // A pod that was recreated with the same name is a different pod.
      if (before.metadata.uid !== after.metadata.uid) kubeletOf(before)?.podGone(before);
      kubeletOf(after)?.podChanged(after);
    },
    deleted: (pod) => kubeletOf(pod)?.podGone(pod),
  });
  await informer.synced;
  hasBegun = true;
  const byNode = Map.groupBy(informer.lister.list(), ({ spec }) => spec?.nodeName ?? '');
  for (const [name, pods] of byNode) kubeletOn(name)?.takeUp(pods);
}
