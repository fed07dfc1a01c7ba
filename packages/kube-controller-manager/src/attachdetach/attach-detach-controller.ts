/** Attaches the volumes of pods to the pods' nodes, and detaches those that no pod there needs. */

import { objectKey } from '@coxswain/client';
import type { Controller } from '../controller.ts';
import { onChange, onWrite } from '../event-handlers.ts';
import {
  resources,
  type CsiDriver,
  type Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type VolumeAttachment,
} from '../objects.ts';
import { nodeIndex, podsByNode } from '../pods/node-index.ts';
import { startReconciler } from '../reconciler.ts';
import { claimIndex, podsByClaim } from '../volumes/claims-of-pods.ts';
import {
  attachmentNodeIndex,
  attachmentsByNode,
  attachmentsByVolume,
  attachmentVolumeIndex,
  hasInlineVolume,
} from './attachable-volume.ts';
import { NodeAttachments } from './node-attachments.ts';

export const attachDetachController: Controller = {
  name: 'persistentvolume-attach-detach-controller',
  aliases: ['attachdetach', 'attach-detach'],
  serviceAccount: 'attachdetach-controller',
  start(context) {
    const { informers } = context;
    const pods = informers.informer<Pod>(resources.pods, {
      [nodeIndex]: podsByNode,
      [claimIndex]: podsByClaim,
    });
    const nodes = informers.informer<Node>(resources.nodes);
    const claims = informers.informer<PersistentVolumeClaim>(resources.persistentVolumeClaims);
    const volumes = informers.informer<PersistentVolume>(resources.persistentVolumes);
    const drivers = informers.informer<CsiDriver>(resources.csiDrivers);
    const attachments = informers.informer<VolumeAttachment>(resources.volumeAttachments, {
      [attachmentNodeIndex]: attachmentsByNode,
      [attachmentVolumeIndex]: attachmentsByVolume,
    });
    const work = new NodeAttachments(context, {
      pods: pods.lister,
      nodes: nodes.lister,
      claims: claims.lister,
      volumes: volumes.lister,
      drivers: drivers.lister,
      attachments: attachments.lister,
    });
    const all = [pods, nodes, claims, volumes, drivers, attachments];
    const reconciler = startReconciler(context, {
      queueName: 'pvcs',
      ready: () => Promise.all(all.map(({ synced }) => synced)),
      reconcile: work.syncNode.bind(work),
    });
    const wakePod = (pod: Pod) => {
      if (pod.spec?.nodeName && (podsByClaim(pod).length > 0 || hasInlineVolume(pod)))
        reconciler.add(pod.spec.nodeName);
    };
    pods.addHandler(onChange(wakePod));
    const wakeNode = (node: Node) => reconciler.addObject(node);
    nodes.addHandler({
      added: wakeNode,
      updated(before, after) {
        if (relevantTo(before) !== relevantTo(after)) wakeNode(after);
      },
      deleted: wakeNode,
    });
    const wakeClaim = (key: string) => pods.lister.byIndex(claimIndex, key).forEach(wakePod);
    claims.addHandler({
      added: (claim) => wakeClaim(objectKey(claim)),
      updated: (_before, after) => wakeClaim(objectKey(after)),
    });
    const wakeVolume = ({ spec }: PersistentVolume) => {
      if (spec?.claimRef) wakeClaim(`${spec.claimRef.namespace}/${spec.claimRef.name}`);
    };
    volumes.addHandler(onWrite(wakeVolume));
    const wakeAttachment = (attachment: VolumeAttachment) => {
      reconciler.add(attachment.spec.nodeName);
      for (const volume of attachmentsByVolume(attachment))
        for (const node of work.takeWaiting(volume)) reconciler.add(node);
    };
    attachments.addHandler(onChange(wakeAttachment));
    const wakeAll = () => nodes.lister.list().forEach(wakeNode);
    drivers.addHandler({ added: wakeAll, updated: wakeAll });
  },
};

/**
 * The fields that the controller uses, as text. Nodes are updated every few seconds, but these fields hardly ever
 * change.
 */
const relevantTo = ({ metadata, spec, status }: Node): string =>
  JSON.stringify([
    metadata.annotations?.[NodeAttachments.managedAnnotation],
    status?.volumesInUse,
    spec?.taints,
    status?.conditions?.find(({ type }) => type === 'Ready')?.status,
  ]);
