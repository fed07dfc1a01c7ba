/** Names and addresses of simulated nodes. */
import type { NodeSpec } from '@coxswain/kubelet/node/node-spec.ts';
import { formatIpv4 } from './container/address-pool.ts';

/** The first address ranges; each node has 256 addresses for pods in 10.244.0.0 and above, one in 172.20.0.0. */
const podNetwork = 0x0a_f4_00_00;
const nodeNetwork = 0xac_14_00_00;

/** The `index`th of nodes called `<prefix>-0`, `<prefix>-1`, … */
export const numberedNode = (index: number, prefix = 'node'): NodeSpec => ({
  name: `${prefix}-${index}`,
  podCidr: `${formatIpv4(podNetwork + index * 256)}/24`,
  address: formatIpv4(nodeNetwork + index + 2),
});

/** The next numbered node whose name and addresses none of these has. */
export function unusedNode(known: readonly NodeSpec[]): NodeSpec {
  const isTaken = (node: NodeSpec) =>
    known.some(({ name, address }) => name === node.name || address === node.address);
  let index = known.length;
  while (isTaken(numberedNode(index))) index++;
  return numberedNode(index);
}

/** Numbers below are for numbered nodes, so that a node of its own process seldom has an address of theirs. */
const lonelyIndexMin = 1024;

/** A node that shares a cluster with nodes that it knows nothing of: its addresses come from its name. */
export function lonelyNode(name: string): NodeSpec {
  let hash = 0;
  for (let index = 0; index < name.length; index++)
    hash = (Math.imul(hash, 31) + name.charCodeAt(index)) >>> 0;
  return { ...numberedNode(lonelyIndexMin + (hash % lonelyIndexMin)), name };
}

/** So many nodes, or those of the list. */
export const nodeSpecs = (nodes: number | readonly NodeSpec[]): readonly NodeSpec[] =>
  typeof nodes === 'number' ? Array.from({ length: nodes }, (_, index) => numberedNode(index)) : nodes;
