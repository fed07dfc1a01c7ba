/** Volumes of former in-tree plugins, which CSI drivers now handle. */

import type { PersistentVolume } from '../objects.ts';

interface MigratedPlugin {
  readonly plugin: string;
  readonly driver: string;
  /** The field of a volume's source. */
  readonly source: string;
}

const migratedPlugins: readonly MigratedPlugin[] = [
  { plugin: 'kubernetes.io/aws-ebs', driver: 'ebs.csi.aws.com', source: 'awsElasticBlockStore' },
  { plugin: 'kubernetes.io/gce-pd', driver: 'pd.csi.storage.gke.io', source: 'gcePersistentDisk' },
  { plugin: 'kubernetes.io/azure-disk', driver: 'disk.csi.azure.com', source: 'azureDisk' },
  { plugin: 'kubernetes.io/azure-file', driver: 'file.csi.azure.com', source: 'azureFile' },
  { plugin: 'kubernetes.io/cinder', driver: 'cinder.csi.openstack.org', source: 'cinder' },
  { plugin: 'kubernetes.io/vsphere-volume', driver: 'csi.vsphere.vmware.com', source: 'vsphereVolume' },
  { plugin: 'kubernetes.io/portworx-volume', driver: 'pxd.portworx.com', source: 'portworxVolume' },
];

const drivers: ReadonlyMap<string, string> = new Map(
  migratedPlugins.map(({ plugin, driver }) => [plugin, driver]),
);

/** The CSI driver that replaces a plugin; undefined for all others. */
export const migratedDriver = (plugin: string): string | undefined => drivers.get(plugin);

export const migratedPluginOf = ({ spec }: PersistentVolume): string | undefined =>
  migratedPlugins.find(({ source }) => Boolean((spec as Record<string, unknown> | undefined)?.[source]))
    ?.plugin;
