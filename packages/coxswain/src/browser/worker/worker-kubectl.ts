/** kubectl runs where the cluster is: what it does is the same as ever, however busy the page is. */

import type { ClusterFiles, Crossed, KubectlOptions, KubectlResult } from '../../../types/browser.d.ts';

export interface WorkerKubectl {
  kubectl(line: string | readonly string[], options?: KubectlOptions): Promise<KubectlResult>;
  files(): Promise<Crossed<ClusterFiles>>;
}

/** By the transports of a page that lead to a worker. */
const runners = new WeakMap<object, WorkerKubectl>();

export const runInWorker = (transport: object, runner: WorkerKubectl): void =>
  void runners.set(transport, runner);

/** Undefined for what is in this thread. */
export const workerKubectlOf = (transport: object): WorkerKubectl | undefined => runners.get(transport);
