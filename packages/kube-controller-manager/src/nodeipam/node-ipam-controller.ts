/** Assigns each node a range of pod addresses for each address family of the cluster. */
import { isStatusError, parseCidr } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { referenceTo } from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import { resources, type Node } from '../objects.ts';
import { startReconciler } from '../reconciler.ts';
import type { NodeRangeSettings } from '../settings.ts';
import { RangeSet } from './range-set.ts';

export const nodeIpamController: Controller = {
  name: 'node-ipam-controller',
  aliases: ['nodeipam'],
  serviceAccount: 'node-controller',
  start(context) {
    if (!context.settings.allocatesNodeRanges) return;
    context.metrics
      .gauge('running_managed_controllers', 'Controllers that are running, by manager.', {
        name: 'nodeipam',
        manager: 'kube-controller-manager',
      })
      .set(1);
    const nodes = context.informers.informer<Node>(resources.nodes);
    const ranges = new NodeRanges(rangeSetsOf(context.settings.nodeRanges), context);
    // All existing ranges must be known before new ones are assigned.
    const ready = nodes.synced.then(() => {
      for (const node of nodes.lister.list()) ranges.occupy(node);
    });
    const reconciler = startReconciler(context, {
      queueName: 'cidrallocator_node',
      ready: () => ready,
      reconcile: async function syncNodeRanges(name) {
        const node = nodes.lister.get(name);
        if (node === undefined || node.metadata.deletionTimestamp !== undefined) return;
        if (rangesOf(node).length > 0) ranges.occupy(node);
        else await ranges.assign(node);
      },
    });
    nodes.addHandler({
      ...onWrite(reconciler.addObject),
      deleted: (node) => ranges.release(node),
    });
  },
};

const rangesOf = ({ spec }: Node): readonly string[] => spec?.podCIDRs ?? [];

/** @throws Error with upstream's message for invalid ranges */
export function rangeSetsOf(settings: NodeRangeSettings): readonly RangeSet[] {
  const { clusterRanges, serviceRanges, maskSizeIpv4, maskSizeIpv6 } = settings;
  const networks = clusterRanges.map((text) => {
    const network = parseCidr(text.trim());
    if (network === undefined) throw new Error(`invalid CIDR address: ${text}`);
    return network;
  });
  if (networks.length === 0) throw new Error('invalid CIDR address: ');
  const families = new Set(networks.map(({ address }) => address.version));
  if (networks.length > 1 && families.size < 2) {
    throw new Error(
      `len of ClusterCIDRs==${networks.length} and they are not configured as dual stack (at least one from each IPFamily`,
    );
  }
  if (networks.length > 2) {
    throw new Error(`length of clusterCIDRs is:${networks.length} more than max allowed of 2`);
  }
  return networks.map((network) => {
    const set = new RangeSet(network, network.address.version === 4 ? maskSizeIpv4 : maskSizeIpv6);
    for (const range of serviceRanges) set.exclude(range);
    return set;
  });
}

class NodeRanges {
  readonly #sets: readonly RangeSet[];
  readonly #context: ControllerContext;
  /** By uid: prevents a second assignment while one is being written. */
  readonly #assigned = new Map<string, readonly string[]>();

  constructor(sets: readonly RangeSet[], context: ControllerContext) {
    this.#sets = sets;
    this.#context = context;
  }

  occupy(node: Node): void {
    rangesOf(node).forEach((range, at) => {
      this.#guard(node, () => this.#setAt(at, range, node).occupy(range));
    });
  }

  release(node: Node): void {
    const { uid = '' } = node.metadata;
    const taken = rangesOf(node).length > 0 ? rangesOf(node) : (this.#assigned.get(uid) ?? []);
    this.#assigned.delete(uid);
    taken.forEach((range, at) => this.#guard(node, () => this.#setAt(at, range, node).release(range)));
  }

  async assign(node: Node): Promise<void> {
    const { name = '', uid = '' } = node.metadata;
    const podCIDRs = this.#assigned.get(uid) ?? this.#take(node);
    this.#assigned.set(uid, podCIDRs);
    const client = this.#context.client.resource<Node>(resources.nodes);
    try {
      await client.patch(name, { spec: { podCIDR: podCIDRs[0], podCIDRs } });
      this.#assigned.delete(uid);
    } catch (failure) {
      if (isStatusError(failure, 'NotFound')) return;
      this.#report(node, 'CIDRAssignmentFailed');
      throw failure;
    }
  }

  #take(node: Node): readonly string[] {
    const taken: string[] = [];
    try {
      for (const set of this.#sets) taken.push(set.take());
      return taken;
    } catch (failure) {
      taken.forEach((range, at) => this.#sets[at]!.release(range));
      this.#report(node, 'CIDRNotAvailable');
      const problem = `failed to allocate cidr from cluster cidr at idx:${taken.length}: ${messageOf(failure)}`;
      throw new Error(problem, { cause: failure });
    }
  }

  #setAt(at: number, range: string, { metadata }: Node): RangeSet {
    const set = this.#sets[at];
    if (set !== undefined) return set;
    throw new Error(
      `node:${metadata.name} has an allocated cidr: ${range} at index:${at} that does not exist in cluster cidrs configuration`,
    );
  }

  /** A node with an invalid range must not affect the others. */
  #guard({ metadata }: Node, act: () => void): void {
    try {
      act();
    } catch (failure) {
      this.#context.onError(failure, metadata.name);
    }
  }

  #report(node: Node, status: string): void {
    const events = this.#context.events('cidrAllocator');
    const text = `Node ${node.metadata.name} status is now: ${status}`;
    events.event(referenceTo(node, 'Node', 'v1'), 'Normal', status, text);
  }
}
