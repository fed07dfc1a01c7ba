import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { hostPortsOf, UsedPorts, type HostPort } from '../cache/host-ports.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import { retryOn, type ClusterEvent } from '../framework/cluster-event.ts';
import { plugin } from '../framework/plugin.ts';
import { fits, unschedulable } from '../status.ts';

const refused = unschedulable("node(s) didn't have free ports for the requested pod ports");

export const nodePorts = plugin<readonly HostPort[]>({
  name: 'NodePorts',
  isNodeLocal: true,
  retryWhen: [retryOn('Pod', ['delete'], freesAPort), retryOn('Node', ['add'])],
  preFilter: ({ hostPorts }) => (hostPorts.length === 0 ? 'skip' : { state: hostPorts }),
  filter: (_pod, node, ports) => (ports.some((port) => node.usedPorts.conflict(port)) ? refused : fits),
});

function freesAPort(pod: PodInfo, { before }: ClusterEvent): boolean {
  const gone = before as Pod;
  if (!gone.spec?.nodeName) return false;
  const freed = new UsedPorts();
  freed.change(hostPortsOf(gone), 1);
  return pod.hostPorts.some((port) => freed.conflict(port));
}
