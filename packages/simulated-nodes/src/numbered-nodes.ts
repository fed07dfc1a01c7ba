/** Names and addresses of simulated nodes. */
import type { NodeSpec } from '@coxswain/kubelet/node/node-spec.ts';
import { formatIpv4 } from './container/address-pool.ts';

/**
 * The first address ranges. Each node has 256 pod addresses from 10.244.0.0 upwards, and one address from 172.20.0.0
 * upwards.
 */
const podNetwork = 0x0a_f4_00_00;
const nodeNetwork = 0xac_14_00_00;

/** The `index`th node named `<prefix>-0`, `<prefix>-1`, … */
export const numberedNode = (index: number, prefix = 'node'): NodeSpec => ({
  name: `${prefix}-${index}`,
  podCidr: `${formatIpv4(podNetwork + index * 256)}/24`,
  address: formatIpv4(nodeNetwork + index + 2),
});

/** The next numbered node whose name and addresses are not in use. */
export function unusedNode(known: readonly NodeSpec[]): NodeSpec {
  const isTaken = (node: NodeSpec) =>
    known.some(({ name, address }) => name === node.name || address === node.address);
  let index = known.length;
  while (isTaken(numberedNode(index))) index++;
  return numberedNode(index);
}

/**
 * Lower numbers are left to numbered nodes, so that a node in a process of its own rarely collides with one of them.
 */
const lonelyIndexMin = 1024;

/** A node in a cluster whose other nodes it does not know; its addresses are derived from its name. */
export function lonelyNode(name: string): NodeSpec {
  let hash = 0;
  for (let index = 0; index < name.length; index++)
    hash = (Math.imul(hash, 31) + name.charCodeAt(index)) >>> 0;
  return { ...numberedNode(lonelyIndexMin + (hash % lonelyIndexMin)), name };
}

/** This many nodes, or those in the list. */
export const nodeSpecs = (nodes: number | readonly NodeSpec[]): readonly NodeSpec[] =>
  typeof nodes === 'number' ? Array.from({ length: nodes }, (_, index) => numberedNode(index)) : nodes;
