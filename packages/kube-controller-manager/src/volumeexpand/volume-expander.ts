/** Notifies external resizers that a claim requests expansion. Nothing is expanded here: that is up to drivers. */

import { compareQuantities, parseQuantity, type Quantity } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { resources, type PersistentVolume, type PersistentVolumeClaim } from '../objects.ts';
import { preResizeCapacity } from '../persistentvolume/annotations.ts';
import { startReconciler } from '../reconciler.ts';
import { migratedDriver, migratedPluginOf } from '../volumes/csi-migration.ts';

const resizerAnnotation = 'volume.kubernetes.io/storage-resizer';

export const volumeExpander: Controller = {
  name: 'persistentvolume-expander-controller',
  aliases: ['persistentvolume-expander'],
  serviceAccount: 'expand-controller',
  start(context) {
    const claims = context.informers.informer<PersistentVolumeClaim>(resources.persistentVolumeClaims);
    const reconciler = startReconciler(context, {
      queueName: 'volume_expand',
      ready: () => claims.synced,
      reconcile: async function syncExpansion(key) {
        const claim = claims.lister.byKey(key);
        if (claim !== undefined) await expand(context, claim, key);
      },
    });
    const look = (claim: PersistentVolumeClaim) => {
      if (claim.status?.phase === 'Bound') reconciler.addObject(claim);
    };
    claims.addHandler({
      added: look,
      updated(before, after) {
        const asksForMore = compareQuantities(requestOf(after), requestOf(before)) > 0;
        if (asksForMore || compareQuantities(sizeOf(after), sizeOf(before)) > 0) look(after);
      },
      deleted: look,
    });
  },
};

async function expand(context: ControllerContext, claim: PersistentVolumeClaim, key: string): Promise<void> {
  const volume = await volumeOf(context, claim);
  const holder = volume.spec?.claimRef;
  if (holder?.namespace !== claim.metadata.namespace || holder?.uid !== claim.metadata.uid)
    throw new Error(`persistent Volume is not bound to PVC being updated : ${key}`);
  const isLargeEnough = compareQuantities(requestOf(claim), sizeOf(claim)) <= 0;
  if (isLargeEnough && volume.metadata.annotations?.[preResizeCapacity] === undefined) return;
  const report = (message: string) =>
    context
      .events('volume_expand')
      .event(
        { ...claim, apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
        'Normal',
        'ExternalExpanding',
        message,
      );
  const plugin = migratedPluginOf(volume);
  if (plugin !== undefined) {
    report(`CSI migration enabled for ${plugin}; waiting for external resizer to expand the pvc`);
    return noteResizer(context, claim, migratedDriver(plugin)!);
  }
  report('waiting for an external controller to expand this PVC');
}

async function volumeOf(
  { client }: ControllerContext,
  { spec }: PersistentVolumeClaim,
): Promise<PersistentVolume> {
  const name = spec?.volumeName ?? '';
  try {
    return await client.resource<PersistentVolume>(resources.persistentVolumes).get(name);
  } catch (error) {
    throw new Error(`failed to get PV "${name}": ${messageOf(error)}`, { cause: error });
  }
}

/** Writes through the status subresource, for which the controller has permission. */
async function noteResizer(
  { client }: ControllerContext,
  { metadata }: PersistentVolumeClaim,
  resizer: string,
): Promise<void> {
  if (metadata.annotations?.[resizerAnnotation] === resizer) return;
  await client
    .resource<PersistentVolumeClaim>(resources.persistentVolumeClaims)
    .namespace(metadata.namespace ?? '')
    .patch(
      metadata.name ?? '',
      { metadata: { annotations: { [resizerAnnotation]: resizer } } },
      { subresource: 'status' },
    );
}

const requestOf = ({ spec }: PersistentVolumeClaim): Quantity =>
  parseQuantity(spec?.resources?.requests?.['storage'] ?? '0');
const sizeOf = ({ status }: PersistentVolumeClaim): Quantity =>
  parseQuantity(status?.capacity?.['storage'] ?? '0');
