/** Lets a PodGroup be deleted only once none of its pods is active. */
import type { PodGroup as PodGroupShape } from '@coxswain/api/scheduling/v1alpha2/pod-group.ts';
import type { GroupVersionResource, KubeObject } from '@coxswain/apimachinery';
import type { Controller } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import { resources, type Pod } from '../objects.ts';
import { startReconciler } from '../reconciler.ts';
import { guardDeletion, needsGuard, type DeletionGuard } from '../volumeprotection/deletion-guard.ts';

type PodGroup = Omit<PodGroupShape, 'metadata' | 'kind' | 'apiVersion'> & KubeObject;

const podGroups: GroupVersionResource = {
  group: 'scheduling.k8s.io',
  version: 'v1alpha2',
  resource: 'podgroups',
};

/** Added to every group at admission. */
const finalizer = 'scheduling.k8s.io/podgroup-protection';
const activePodsIndex = 'activePodsOfGroup';

export const podGroupProtectionController: Controller = {
  name: 'podgroup-protection-controller',
  featureGates: ['GenericWorkload'],
  serviceAccount: 'podgroup-protection-controller',
  start(context) {
    const { informers } = context;
    const groups = informers.informer<PodGroup>(podGroups);
    const pods = informers.informer<Pod>(resources.pods, {
      [activePodsIndex]: (pod) => (hasEnded(pod) ? [] : groupsOf(pod)),
    });
    const guard: DeletionGuard<PodGroup> = {
      finalizer,
      client: ({ metadata }) =>
        context.client.resource<PodGroup>(podGroups).namespace(metadata.namespace ?? ''),
      isUsed: ({ metadata }) =>
        pods.lister.byIndex(activePodsIndex, `${metadata.namespace}/${metadata.name}`).length > 0,
    };
    const reconciler = startReconciler(context, {
      queueName: 'podgroupprotection',
      workers: 1,
      ready: () => Promise.all([groups.synced, pods.synced]),
      reconcile: async function syncPodGroupProtection(key) {
        const [namespace = '', name = ''] = key.split('/');
        const group = groups.lister.get(name, namespace);
        if (group !== undefined && isGoing(group)) await guardDeletion(guard, group);
      },
    });
    const look = (group: PodGroup) => {
      if (isGoing(group)) reconciler.addObject(group);
    };
    const wakeGroups = (pod: Pod) => groupsOf(pod).forEach((key) => reconciler.add(key));
    groups.addHandler(onWrite(look));
    pods.addHandler({
      added: (pod) => {
        if (hasEnded(pod)) wakeGroups(pod);
      },
      updated: (before, after) => {
        if (hasEnded(after)) wakeGroups(after);
        if (before.metadata.uid !== after.metadata.uid) wakeGroups(before);
      },
      deleted: wakeGroups,
    });
  },
};

/** Groups without the finalizer are ignored: only admission adds it. */
const isGoing = (group: PodGroup): boolean =>
  group.metadata.deletionTimestamp !== undefined && needsGuard(group, finalizer);

const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** The key of the pod's group. */
function groupsOf({ metadata, spec }: Pod): readonly string[] {
  const name = spec?.schedulingGroup?.podGroupName;
  return name ? [`${metadata.namespace}/${name}`] : [];
}
