/** Requests a volume: external provisioners read the request from the claim's annotations. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { PersistentVolumeClaim, StorageClass } from '../objects.ts';
import { migratedDriver } from '../volumes/csi-migration.ts';
import { storageClassNameOf } from '../volumes/storage-class-of.ts';
import {
  claimProvisionerKeys,
  oldStorageProvisioner,
  storageProvisioner,
  withAnnotations,
  withMigration,
} from './annotations.ts';
import type { BinderState } from './binder-state.ts';

const hostPathPlugin = 'kubernetes.io/host-path';
const nfsPlugin = 'kubernetes.io/nfs';

export async function provisionClaim(state: BinderState, claim: PersistentVolumeClaim): Promise<void> {
  const className = storageClassNameOf(claim);
  const storageClass = state.listers.classes.get(className);
  const obstacle =
    storageClass === undefined
      ? `storageclass.storage.k8s.io "${className}" not found`
      : obstacleOf(storageClass.provisioner ?? '');
  if (obstacle !== undefined) return state.reportClaim(claim, 'Warning', 'ProvisioningFailed', obstacle);
  if (storageClass!.provisioner === hostPathPlugin) return provisionOnHost(state, claim, storageClass!);
  await provisionExternally(state, claim, storageClass!.provisioner ?? '');
}

/** Provisioners with Kubernetes' own prefix must be in-tree plugins; all others are external. */
function obstacleOf(provisioner: string): string | undefined {
  if (migratedDriver(provisioner) !== undefined || !provisioner.startsWith('kubernetes.io/'))
    return undefined;
  if (provisioner === hostPathPlugin) return undefined;
  return provisioner === nfsPlugin
    ? 'no provisionable volume plugin matched'
    : `no volume plugin matched name: ${provisioner}`;
}

async function provisionExternally(
  state: BinderState,
  claim: PersistentVolumeClaim,
  plugin: string,
): Promise<void> {
  const provisioner = migratedDriver(plugin) ?? plugin;
  let noted: PersistentVolumeClaim;
  try {
    noted = await noteProvisioner(state, claim, provisioner);
  } catch (error) {
    const message = `Error saving claim: ${messageOf(error)}`;
    return state.reportClaim(claim, 'Warning', 'ProvisioningFailed', message);
  }
  state.reportClaim(
    noted,
    'Normal',
    'ExternalProvisioning',
    `Waiting for a volume to be created either by the external provisioner '${provisioner}' ` +
      'or manually by the system administrator. If volume creation is delayed, please verify that ' +
      'the provisioner is running and correctly registered.',
  );
}

function noteProvisioner(
  state: BinderState,
  claim: PersistentVolumeClaim,
  provisioner: string,
): Promise<PersistentVolumeClaim> {
  if (claim.metadata.annotations?.[storageProvisioner] === provisioner) return Promise.resolve(claim);
  const noted = withAnnotations(claim, {
    [oldStorageProvisioner]: provisioner,
    [storageProvisioner]: provisioner,
  });
  return state.updateClaim(withMigration(noted, claimProvisionerKeys));
}

/** Directories of the host are not provisioned: upstream does so only for tests, behind a flag. */
async function provisionOnHost(
  state: BinderState,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
): Promise<void> {
  const fail = (message: string) => state.reportClaim(claim, 'Warning', 'ProvisioningFailed', message);
  if (claim.spec?.dataSource) {
    return fail(
      `plugin "${hostPathPlugin}" is not a CSI plugin. Only CSI plugin can provision a claim with a datasource`,
    );
  }
  await noteProvisioner(state, claim, hostPathPlugin);
  const options = storageClass.mountOptions ?? [];
  if (options.length > 0) {
    return fail(
      `Mount options are not supported by the provisioner but StorageClass "${storageClass.metadata.name}" has mount options [${options.join(' ')}]`,
    );
  }
  fail(`Failed to create provisioner: provisioning in volume plugin "${hostPathPlugin}" is disabled`);
}
