/** Runs the kube-proxy of one node of the traced cluster: its rules go into the recording, not into a kernel. */

import type { StepObserver } from '@coxswain/apimachinery';
import { kernelWriter, startKubeProxy, type RunningKubeProxy, type TableOptions } from '@coxswain/kube-proxy';
import type { Cluster } from '../cluster/cluster.ts';
import { proxyUser } from '../components/component-users.ts';

/** There is no kernel to spare, so changes are written at once. */
const syncPeriodMinMs = 10;

const table: TableOptions = { family: 'IPv4', masqueradeAll: false, masqueradeBit: 14 };

export function tracedProxy(
  cluster: Cluster,
  nodeName: string,
  observer: StepObserver,
  signal: AbortSignal,
): RunningKubeProxy {
  return startKubeProxy({
    client: cluster.client(proxyUser),
    nodeName,
    observer,
    signal,
    syncPeriodMinMs,
    writer: kernelWriter({ tables: [table], run: emptyKernel, observer }),
  });
}

/** Answers as `nft` does when there are no tables yet. */
const emptyKernel = (args: readonly string[]): Promise<string> =>
  Promise.resolve(args.includes('list') ? '{"nftables":[]}' : '');
