/**
 * Prepares a machine to become another server of a cluster: fetches what it needs into its data directory. It then
 * starts as the first server did, with `coxswain up --server --etcd-servers=…`.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type * as core from '@coxswain/api/core/v1/index.ts';
import { systemClock, type Clock, type Live } from '@coxswain/apimachinery';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import type { KubeClient } from '@coxswain/client';
import { connect } from '@coxswain/client/node.ts';
import { makePrivateDirectory, writePrivateFile } from '@coxswain/storage/directory/private-files.ts';
import { kubernetesVersion } from '../program/version.ts';
import { authorityPin } from './authority-pin.ts';
import { discoverCluster, type DiscoveryOptions } from './discover-cluster.ts';
import { persistently } from './persistently.ts';
import { kubeadmConfigName } from './server-objects.ts';
import {
  downloadCertificates,
  sharedEtcdNames,
  sharedNames,
  type SharedCertificates,
} from './shared-certificates.ts';
import { tokenKubeconfig } from './token-kubeconfig.ts';

export interface ControlPlaneOptions {
  readonly discovery: DiscoveryOptions;
  /** Hexadecimal. */
  readonly certificateKey: string;
  /** The directory for keys and certificates. */
  readonly directory: string;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly log: (line: string) => void;
}

/** The settings to pass to `coxswain up`. */
export interface ControlPlaneSettings {
  readonly etcdServers: readonly string[];
  /** `192.0.2.1:6443` */
  readonly controlPlaneEndpoint: string;
  readonly clusterCidr: string;
}

/**
 * Resolves when keys and certificates are in the directory.
 * @throws UntrustedClusterError if the server does not match the token
 * @throws Error with one line if the cluster can't have another server of this version, or the key is wrong
 */
export async function prepareControlPlane(options: ControlPlaneOptions): Promise<ControlPlaneSettings> {
  const { discovery, certificateKey, directory, clock = systemClock } = options;
  const found = await persistently((until) => discoverCluster(discovery, until), { ...options, clock });
  mustHoldNoOther(directory, found.certificateAuthority);
  const client = connect(tokenKubeconfig(found, discovery.token), { clock, userAgent: 'coxswain-join' });
  try {
    const settings = await controlPlaneSettings(client);
    writeCertificates(directory, await downloadCertificates(client, certificateKey));
    return settings;
  } finally {
    await client.close();
  }
}

/** Where a server keeps its client credentials for etcd. */
export const etcdFilesIn = (directory: string) => ({
  caFile: path.join(directory, 'etcd-ca.crt'),
  certFile: path.join(directory, 'etcd-client.crt'),
  keyFile: path.join(directory, 'etcd-client.key'),
});

interface ClusterConfiguration {
  readonly controlPlaneEndpoint?: string;
  readonly kubernetesVersion?: string;
  readonly networking?: { readonly podSubnet?: string };
  readonly etcd?: { readonly external?: { readonly endpoints?: readonly string[] } };
}

async function controlPlaneSettings(client: KubeClient): Promise<ControlPlaneSettings> {
  const maps = client.resource<Live<core.ConfigMap>>('v1', 'configmaps');
  const { data } = await maps.namespace('kube-system').get(kubeadmConfigName);
  const configuration = readYaml(data?.['ClusterConfiguration'] ?? '{}') as ClusterConfiguration;
  const { controlPlaneEndpoint = '', networking, etcd, kubernetesVersion: version = '' } = configuration;
  mustSuit(version, kubernetesVersion);
  const etcdServers = etcd?.external?.endpoints ?? [];
  if (etcdServers.length === 0)
    throw new Error(
      'this cluster keeps its data on its first server: others can join as servers only if it was started with --etcd-servers',
    );
  const [clusterCidr = ''] = networking?.podSubnet?.split(',') ?? [];
  return { etcdServers, controlPlaneEndpoint, clusterCidr };
}

/** Servers of one cluster may differ by one minor version during an upgrade. @throws Error */
export function mustSuit(theirs: string, ours: string): void {
  const [one, other] = [theirs, ours].map((version) => /^v?1\.(\d+)/.exec(version)?.[1]);
  if (one === undefined)
    throw new Error(`the cluster is of version "${theirs}", which this program does not know`);
  if (Math.abs(Number(one) - Number(other)) <= 1) return;
  throw new Error(
    `the cluster runs Kubernetes ${theirs}, and this program is ${ours}: servers of one cluster may be one minor version apart`,
  );
}

/** @throws Error if the keys of another cluster would be overwritten */
function mustHoldNoOther(directory: string, authority: string): void {
  const file = path.join(directory, 'ca.crt');
  if (!existsSync(file) || authorityPin(readFileSync(file, 'utf8')) === authorityPin(authority)) return;
  throw new Error(`${directory} holds the keys of another cluster: choose another --data-dir, or remove it`);
}

function writeCertificates(directory: string, certificates: SharedCertificates): void {
  makePrivateDirectory(directory);
  const etcd = etcdFilesIn(directory);
  const files = [
    ...sharedNames.map((name) => [path.join(directory, name), certificates[name]] as const),
    ...Object.entries(sharedEtcdNames).map(
      ([file, name]) => [etcd[file as keyof typeof etcd], certificates[name]] as const,
    ),
  ];
  for (const [file, pem] of files) if (pem !== undefined) writePrivateFile(file, pem);
}
