/** Tracks whether a node is alive, from its lease and its status updates. */

import type * as coordination from '@coxswain/api/coordination/v1/index.ts';
import { epochMsOf, formatTime, type Live } from '@coxswain/apimachinery';
import type { Node } from '../objects.ts';

export type Lease = Live<coordination.Lease>;

type NodeCondition = NonNullable<NonNullable<Node['status']>['conditions']>[number];

interface Health {
  /** When something last changed, by our own clock. */
  heardMs: number;
  heartbeat: string;
  renewTime: string;
}

/** The state of each node; removed with the node. */
export class NodeHealth {
  readonly #known = new Map<string, Health>();

  /** How long ago the node was last heard from. */
  silentMs(node: Node, lease: Lease | undefined, nowMs: number): number {
    const name = node.metadata.name ?? '';
    const ready = readyCondition(node);
    const heartbeat = `${ready?.lastHeartbeatTime ?? ''} ${ready?.status ?? ''}`;
    const renewTime = lease?.spec?.renewTime ?? '';
    const known = this.#known.get(name);
    if (known === undefined) {
      // The silence of a node never heard from counts from its creation, unless it has reported something.
      const createdMs = epochMsOf(node.metadata.creationTimestamp ?? formatTime(nowMs));
      const heardMs = ready === undefined ? createdMs : nowMs;
      this.#known.set(name, { heardMs, heartbeat, renewTime });
      return nowMs - heardMs;
    }
    const renewed = renewTime !== '' && (known.renewTime === '' || renewTime > known.renewTime);
    if (heartbeat !== known.heartbeat || renewed)
      Object.assign(known, { heardMs: nowMs, heartbeat, renewTime });
    return nowMs - known.heardMs;
  }

  /** Resets all timers: after a time without news from any node, the problem may have been on our side. */
  heardOfAll(nowMs: number): void {
    for (const known of this.#known.values()) known.heardMs = nowMs;
  }

  forget(name: string): void {
    this.#known.delete(name);
  }
}

export const readyCondition = (node: Node): NodeCondition | undefined =>
  node.status?.conditions?.find((condition) => condition.type === 'Ready');

const watchedConditions = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The conditions of a silent node become Unknown. Returns the same list if they already are. */
export function unknownConditions(node: Node, nowMs: number): readonly NodeCondition[] {
  const current = node.status?.conditions ?? [];
  const now = formatTime(nowMs);
  const updated = current.map((condition) =>
    watchedConditions.includes(condition.type) && condition.status !== 'Unknown'
      ? {
          ...condition,
          status: 'Unknown',
          reason: 'NodeStatusUnknown',
          message: 'Kubelet stopped posting node status.',
          lastTransitionTime: now,
        }
      : condition,
  );
  const missing = watchedConditions.filter((type) => !current.some((condition) => condition.type === type));
  if (missing.length === 0 && updated.every((condition, index) => condition === current[index]))
    return current;
  return [
    ...updated,
    ...missing.map((type) => ({
      type,
      status: 'Unknown',
      reason: 'NodeStatusNeverUpdated',
      message: 'Kubelet never posted node status.',
      lastHeartbeatTime: node.metadata.creationTimestamp ?? now,
      lastTransitionTime: now,
    })),
  ];
}
