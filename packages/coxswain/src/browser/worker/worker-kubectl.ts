/** Runs kubectl where the cluster is, so that its behaviour does not depend on how busy the page is. */

import type { ClusterFiles, Crossed, KubectlOptions, KubectlResult } from '../../../types/browser.d.ts';

export interface WorkerKubectl {
  kubectl(line: string | readonly string[], options?: KubectlOptions): Promise<KubectlResult>;
  files(): Promise<Crossed<ClusterFiles>>;
}

/** By the page's transport to a worker. */
const runners = new WeakMap<object, WorkerKubectl>();

export const runInWorker = (transport: object, runner: WorkerKubectl): void =>
  void runners.set(transport, runner);

/** Undefined for clusters in this thread. */
export const workerKubectlOf = (transport: object): WorkerKubectl | undefined => runners.get(transport);
