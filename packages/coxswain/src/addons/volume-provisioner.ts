/** Creates a volume for each claim of our storage class, and deletes released volumes. */
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import { isStatusError, type KubeObject } from '@coxswain/apimachinery';
import type { StorageClass } from '@coxswain/api/storage/v1/storage-class.ts';
import type { AddonParts } from './addon-parts.ts';

export const volumeProvisioner = 'sim.coxswain.io/volumes';

/** The volume binder sets this annotation to name the provisioner that should act. */
const askedAnnotation = 'volume.kubernetes.io/storage-provisioner';
const madeAnnotation = 'pv.kubernetes.io/provisioned-by';

type Claim = PersistentVolumeClaim & KubeObject;
type Volume = PersistentVolume & KubeObject;

export function provisionVolumes({ client, informers, onError }: AddonParts): void {
  const claims = informers.informer<Claim>({ group: '', version: 'v1', resource: 'persistentvolumeclaims' });
  const volumes = informers.informer<Volume>({ group: '', version: 'v1', resource: 'persistentvolumes' });
  const classes = client.resource<StorageClass & KubeObject>('storage.k8s.io/v1', 'storageclasses');
  const made = client.resource<Volume>('v1', 'persistentvolumes');
  const provision = async (claim: Claim): Promise<void> => {
    if (!isAsked(claim)) return;
    const storageClass = await classes.get(claim.spec?.storageClassName ?? '');
    await made
      .create(volumeFor(claim, storageClass.reclaimPolicy ?? 'Delete'))
      .catch(unless('AlreadyExists'));
  };
  const reclaim = async ({ metadata, spec, status }: Volume): Promise<void> => {
    const isOurs = metadata.annotations?.[madeAnnotation] === volumeProvisioner;
    if (!isOurs || status?.phase !== 'Released' || spec?.persistentVolumeReclaimPolicy !== 'Delete') return;
    await made.delete(metadata.name ?? '').catch(unless('NotFound'));
  };
  const asked = (claim: Claim) => void provision(claim).catch(onError);
  const released = (volume: Volume) => void reclaim(volume).catch(onError);
  claims.addHandler({ added: asked, updated: (_before, after) => asked(after) });
  volumes.addHandler({ added: released, updated: (_before, after) => released(after) });
}

const isAsked = ({ metadata, spec }: Claim): boolean =>
  metadata.annotations?.[askedAnnotation] === volumeProvisioner &&
  metadata.deletionTimestamp === undefined &&
  !spec?.volumeName;

function volumeFor({ metadata, spec }: Claim, reclaimPolicy: string): Volume {
  const name = `pvc-${metadata.uid}`;
  const { namespace, uid } = metadata;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, annotations: { [madeAnnotation]: volumeProvisioner } },
    spec: {
      capacity: { storage: spec?.resources?.requests?.['storage'] ?? '1Gi' },
      accessModes: spec?.accessModes,
      volumeMode: spec?.volumeMode,
      storageClassName: spec?.storageClassName,
      persistentVolumeReclaimPolicy: reclaimPolicy,
      claimRef: {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        namespace,
        name: metadata.name,
        uid,
      },
      hostPath: { path: `/var/lib/simulated-volumes/${name}`, type: 'DirectoryOrCreate' },
    },
  } as unknown as Volume;
}

const unless =
  (reason: 'AlreadyExists' | 'NotFound') =>
  (error: unknown): void => {
    if (!isStatusError(error, reason)) throw error;
  };
