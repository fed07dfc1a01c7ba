import { expect, test } from 'vitest';
import type { PersistentVolume } from '../objects.ts';
import { translatedInline, translatedVolume } from './csi-translation.ts';

const volume = (spec: object, metadata: object = {}): PersistentVolume =>
  ({ metadata: { name: 'v', ...metadata }, spec }) as PersistentVolume;

test('a disk is known to its driver by the number alone', () => {
  const handleOf = (volumeID: string) =>
    translatedVolume(volume({ awsElasticBlockStore: { volumeID, fsType: 'ext4' } }))?.volumeHandle;

  expect(handleOf('vol-1')).toBe('vol-1');
  expect(handleOf('aws://eu-west-1a/vol-2')).toBe('vol-2');
  expect(handleOf('aws://eu-west-1a/other')).toBeUndefined();
});

test('a disk in several zones belongs to their region', () => {
  const handleOf = (zone: string) =>
    translatedVolume(
      volume({ gcePersistentDisk: { pdName: 'd' } }, { labels: { 'topology.kubernetes.io/zone': zone } }),
    )?.volumeHandle;

  expect(handleOf('us-east1-b')).toBe('projects/UNSPECIFIED/zones/us-east1-b/disks/d');
  expect(handleOf('us-east1-b__us-east1-c')).toBe('projects/UNSPECIFIED/regions/us-east1/disks/d');
  expect(handleOf('us-east1-b__us-west1-c')).toBeUndefined();
});

test('a disk defined in a pod is translated completely', () => {
  const pod = { name: 'd', gcePersistentDisk: { pdName: 'pd', fsType: 'ext4' } };

  expect(translatedInline(pod as never, 'default')).toEqual({
    name: 'pd.csi.storage.gke.io-pd',
    spec: {
      accessModes: ['ReadWriteOnce'],
      volumeMode: 'Filesystem',
      csi: {
        driver: 'pd.csi.storage.gke.io',
        volumeHandle: 'projects/UNSPECIFIED/zones/UNSPECIFIED/disks/pd',
        fsType: 'ext4',
        volumeAttributes: { partition: '' },
      },
    },
  });
});

test('what no driver replaced stays as it is', () => {
  expect(translatedVolume(volume({ nfs: { server: 's', path: '/' } }))).toBeUndefined();
  expect(translatedInline({ name: 'e', emptyDir: {} } as never, 'default')).toBeUndefined();
});

test('volumes defined in a pod have mode Filesystem', () => {
  const sources = [
    { awsElasticBlockStore: { volumeID: 'vol-1' } },
    { azureDisk: { diskName: 'd', diskURI: '/d' } },
    { azureFile: { secretName: 's', shareName: 'share' } },
    { cinder: { volumeID: 'v' } },
  ];
  const modes = sources.map(
    (source) => translatedInline({ name: 'd', ...source } as never, 'default')?.spec.volumeMode,
  );

  expect(modes).toEqual(['Filesystem', 'Filesystem', 'Filesystem', 'Filesystem']);
});

test('the account of a share is found anywhere in the name of its secret', () => {
  const azureFile = { secretName: 'x-azure-storage-account-acc-secret', shareName: 'share' };
  const inNamespace = { azureFile, claimRef: { namespace: 'n' } };

  expect(translatedVolume(volume(inNamespace))?.volumeHandle).toBe('#acc#share#v#n');
});
