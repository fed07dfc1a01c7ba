import { formatTime, type Clock, type KubeObject } from '@coxswain/apimachinery';
import type { IpFamily } from '../model/service-rule.ts';

/** The cluster autoscaler's taint on nodes that it is about to delete; load balancers should avoid them. */
const toBeDeletedTaint = 'ToBeDeletedByClusterAutoscaler';

export interface HealthResponse {
  readonly status: 200 | 503;
  readonly body: string;
}

/** Whether rules keep up with changes: each family must be written within a time limit after a change. */
export class ProxyHealth {
  readonly #clock: Clock;
  readonly #lateMs: number;
  readonly #updatedAtMs: Map<IpFamily, number>;
  readonly #pendingSinceMs = new Map<IpFamily, number>();
  #node: KubeObject | undefined;

  /** @param lateMs twice the sync period upstream */
  constructor(clock: Clock, lateMs: number, families: readonly IpFamily[]) {
    this.#clock = clock;
    this.#lateMs = lateMs;
    this.#updatedAtMs = new Map(families.map((family) => [family, clock.now()]));
  }

  queued(): void {
    for (const family of this.#updatedAtMs.keys())
      if (!this.#pendingSinceMs.has(family)) this.#pendingSinceMs.set(family, this.#clock.now());
  }

  updated(family: IpFamily): void {
    this.#pendingSinceMs.delete(family);
    this.#updatedAtMs.set(family, this.#clock.now());
  }

  setNode(node: KubeObject | undefined): void {
    this.#node = node;
  }

  get isHealthy(): boolean {
    return [...this.#updatedAtMs.keys()].every((family) => !this.#isLate(family));
  }

  /** Also considers whether the node should receive new connections at all. */
  healthz(): HealthResponse {
    const nodeEligible = this.#isNodeEligible();
    return this.#answer(this.isHealthy && nodeEligible, { nodeEligible });
  }

  livez(): HealthResponse {
    return this.#answer(this.isHealthy, {});
  }

  #answer(isWell: boolean, more: { readonly nodeEligible?: boolean }): HealthResponse {
    const nowMs = this.#clock.now();
    const lastMs = isWell ? nowMs : Math.max(0, ...this.#updatedAtMs.values());
    const status = [...this.#updatedAtMs]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([family, ms]) => [family, { lastUpdated: formatTime(ms), healthy: !this.#isLate(family) }] as const,
      );
    const body = {
      lastUpdated: formatTime(lastMs),
      currentTime: formatTime(nowMs),
      ...more,
      healthy: this.isHealthy,
      status: Object.fromEntries(status),
    };
    return { status: isWell ? 200 : 503, body: JSON.stringify(body) };
  }

  #isLate(family: IpFamily): boolean {
    const sinceMs = this.#pendingSinceMs.get(family);
    return sinceMs !== undefined && this.#clock.now() - sinceMs >= this.#lateMs;
  }

  #isNodeEligible(): boolean {
    if (this.#node === undefined || this.#node.metadata.deletionTimestamp !== undefined) return false;
    const { spec } = this.#node as { spec?: { taints?: readonly { readonly key?: string }[] } };
    return !(spec?.taints ?? []).some(({ key }) => key === toBeDeletedTaint);
  }
}
