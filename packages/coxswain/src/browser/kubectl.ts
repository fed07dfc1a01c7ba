/** kubectl for a page's clusters, and its files; both are loaded on first use. */

import type {
  ClusterFiles,
  Crossed,
  KubectlOptions,
  KubectlResult,
  WorkerCluster,
} from '../../types/browser.d.ts';
import { workerKubectlOf } from './worker/worker-kubectl.ts';
import type { KubectlCluster, LocalCluster } from './kubectl-cluster.ts';

/**
 * Runs one command to its end.
 * @param line `get pods -o wide`, with or without `kubectl`, or the words of the command
 */
export async function kubectl(
  cluster: KubectlCluster,
  line: string | readonly string[],
  options?: KubectlOptions,
): Promise<KubectlResult> {
  const inWorker = workerKubectlOf(cluster.transport);
  if (inWorker !== undefined) return inWorker.kubectl(line, options);
  const { runCommand } = await import('./run-command.ts');
  return runCommand(cluster as LocalCluster, line, options);
}

/** The files that the cluster's kubectl sees, for example for `-f web.yaml`. */
export async function filesOf(cluster: WorkerCluster): Promise<Crossed<ClusterFiles>>;
export async function filesOf(cluster: KubectlCluster): Promise<ClusterFiles>;
export async function filesOf(cluster: KubectlCluster): Promise<Crossed<ClusterFiles> | ClusterFiles> {
  const inWorker = workerKubectlOf(cluster.transport);
  if (inWorker !== undefined) return inWorker.files();
  const files = await import('./cluster-files.ts');
  return files.filesOf(cluster);
}
