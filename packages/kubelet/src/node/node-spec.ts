import { formatIpv4 } from '../simulated/address-pool.ts';

/** A simulated node. */
export interface NodeSpec {
  readonly name: string;
  /** Added to those that every node has. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  readonly capacity?: Readonly<Record<string, string>>;
  /** From where its pods get addresses. */
  readonly podCidr: string;
  readonly address: string;
}

/** What a simulated node can hold unless told otherwise. */
export const defaultCapacity: Readonly<Record<string, string>> = {
  cpu: '32',
  memory: '256Gi',
  pods: '110',
  'ephemeral-storage': '1Ti',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
};

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
