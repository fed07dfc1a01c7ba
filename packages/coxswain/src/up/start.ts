/** Creates the keys, certificates, cluster and kubeconfig of `coxswain up` in its directory. */

import { readFileSync } from 'node:fs';
import { startedUnlessAborted, systemClock } from '@coxswain/apimachinery';
import { mustBeWritable } from '@coxswain/storage/directory/private-files.ts';
import { clusterCertificates } from '../certificates/certificates.ts';
import { kubernetesServiceAddress } from '../components/cluster-addresses.ts';
import type { Cluster, ClusterOptions } from '../cluster/cluster-options.ts';
import type { DataDirectory } from '../local/data-directory.ts';
import { writeKubeconfig } from '../local/kubeconfig.ts';
import { servedHosts } from './cluster-settings.ts';
import type { UpFlags } from './up-flags.ts';

export interface StartOptions {
  readonly flags: UpFlags;
  readonly options: ClusterOptions;
  readonly directory: DataDirectory;
  readonly signal: AbortSignal;
  readonly progress: (what: string) => void;
  readonly log: (line: string) => void;
}

/**
 * Undefined if the signal aborts before the cluster is ready. @throws Error with one clear line; nothing is left
 * running
 */
export async function startIn({
  directory,
  flags,
  options,
  signal,
  progress,
  log,
}: StartOptions): Promise<Cluster | undefined> {
  mustBeWritable(directory.kubeconfig);
  progress('keys and certificates');
  const files = await clusterCertificates(directory.certificates, {
    clock: systemClock,
    serviceAddress: kubernetesServiceAddress,
    hosts: servedHosts(options, flags),
  });
  const certificates = { ...files, rootCertificateAuthority: readFileSync(files.caCertFile, 'utf8') };
  progress('API server, controllers, scheduler, nodes');
  const { startCluster } = await import('../cluster/cluster.ts');
  if (signal.aborted) return undefined;
  const isElsewhere = flags.inMemory || options.etcd !== undefined;
  const stored = isElsewhere ? {} : { storageDirectory: directory.storage, durability: flags.durability };
  const starting = startCluster({ ...options, ...stored, certificates, log });
  const cluster = await startedUnlessAborted(signal, starting, (started) => started.stop());
  if (cluster === undefined) return undefined;
  try {
    directory.servesAt(cluster.address ?? '');
    await writeKubeconfig(directory.kubeconfig, cluster.address ?? '', files);
  } catch (failure) {
    await cluster.stop();
    throw failure;
  }
  return cluster;
}
