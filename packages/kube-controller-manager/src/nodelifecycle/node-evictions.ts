/** Adds NoExecute taints to unhealthy nodes, and removes them from recovered ones. */
import type { Counter } from '@coxswain/apimachinery/metrics/metrics.ts';
import { isStatusError } from '@coxswain/apimachinery';
import type { Lister, ResourceClient } from '@coxswain/client';
import type { ControllerContext } from '../controller.ts';
import { resources, type Node } from '../objects.ts';
import { ownInitiative } from '../own-initiative.ts';
import { visitAll } from '../visit-all.ts';
import { readyCondition } from './node-health.ts';
import { hasEvictionTaint, notReadyTaint, unreachableTaint, withEvictionTaint } from './taints.ts';
import { ZoneEvictions } from './zone-evictions.ts';
import { zoneOf, type ZoneHealth } from './zone-state.ts';

/** Nodes with this label don't count towards the health of their zone. */
const excludedLabel = 'node.kubernetes.io/exclude-disruption';
/** The number of attempts in case of conflicts. */
const conflictTriesMax = 5;

export class NodeEvictions {
  readonly #context: ControllerContext;
  readonly #nodes: Lister<Node>;
  readonly #client: ResourceClient<Node>;
  readonly #zones: ZoneEvictions;

  constructor(context: ControllerContext, nodes: Lister<Node>) {
    this.#context = context;
    this.#nodes = nodes;
    this.#client = context.client.resource<Node>(resources.nodes);
    this.#zones = new ZoneEvictions(context.clock, context.settings.nodeEvictionRates);
  }

  get areIdle(): boolean {
    return [...this.#zones.queues].every(({ isEmpty }) => isEmpty);
  }

  observe(node: Node): void {
    // Initializes the counter of a new zone with zero.
    if (this.#zones.observe(zoneOf(node))) this.#evictionsOf(node);
  }

  /** Resolves with whether a cluster that was entirely down has a healthy node again. */
  async judgeZones(nodes: readonly Node[]): Promise<boolean> {
    const zones = new Map<string, ZoneHealth>();
    await visitAll(nodes, (node) => countIn(zones, node), this.#context.clock);
    const turn = this.#zones.judge(zones);
    if (turn === 'all down') for (const node of nodes) await this.spare(node);
    return turn === 'some back';
  }

  /** Taints the nodes whose turn it is. */
  async run(): Promise<void> {
    for (const queue of this.#zones.queues) await queue.run((name) => this.#evictFrom(name));
  }

  /** Undefined for most nodes, which need no write. */
  mark(node: Node): Promise<unknown> | undefined {
    const status = readyCondition(node)?.status;
    if (status === undefined) return undefined;
    if (status === 'True') return this.spare(node);
    const [key, opposite] =
      status === 'False' ? [notReadyTaint, unreachableTaint] : [unreachableTaint, notReadyTaint];
    const { name = '' } = node.metadata;
    // Its pods were already evicted for the other reason.
    if (hasEvictionTaint(node, opposite)) return this.#taint(node, key);
    const queue = this.#zones.queueOf(zoneOf(node));
    if (!hasEvictionTaint(node, key)) queue?.remove(name);
    queue?.add(name);
    return undefined;
  }

  /** Removes eviction taints. */
  spare(node: Node): Promise<unknown> | undefined {
    const { name = '' } = node.metadata;
    this.#zones.queueOf(zoneOf(node))?.remove(name);
    const isTainted = [notReadyTaint, unreachableTaint].some((key) => hasEvictionTaint(node, key));
    return isTainted ? this.#taint(node, undefined) : undefined;
  }

  async #evictFrom(name: string): Promise<boolean> {
    const node = this.#nodes.get(name);
    if (node === undefined) return true;
    const status = readyCondition(node)?.status;
    if (status === undefined) return false;
    if (status === 'True') return true;
    const isDone = await this.#taint(node, status === 'False' ? notReadyTaint : unreachableTaint);
    if (isDone) this.#evictionsOf(node).add();
    return isDone;
  }

  #evictionsOf(node: Node): Counter {
    return this.#context.metrics.counter(
      'node_collector_evictions_total',
      'Evictions of nodes that are not ready, by zone.',
      { zone: zoneOf(node) },
    );
  }

  #taint(node: Node, key: string | undefined): Promise<boolean> {
    const values = { taint: key ?? 'none', ready: readyCondition(node)?.status };
    const work = this.#setEvictionTaint;
    return ownInitiative(this.#context, { object: node, work, values }, () =>
      this.#setEvictionTaint(node.metadata.name ?? '', key),
    );
  }

  /** Applies to the node's current state. Resolves with false if that failed. */
  async #setEvictionTaint(name: string, key: string | undefined): Promise<boolean> {
    for (let attempt = 1; attempt <= conflictTriesMax; attempt++) {
      try {
        const node = await this.#client.get(name);
        const taints = withEvictionTaint(node, key, this.#context.clock.now());
        if (taints === (node.spec?.taints ?? taints)) return true;
        const { resourceVersion } = node.metadata;
        await this.#client.patch(
          name,
          { metadata: { resourceVersion }, spec: { taints } },
          { type: 'merge' },
        );
        return true;
      } catch (error) {
        if (isStatusError(error, 'NotFound')) return false;
        if (!isStatusError(error, 'Conflict')) throw error;
      }
    }
    return false;
  }
}

function countIn(zones: Map<string, ZoneHealth>, node: Node): void {
  if (node.metadata.labels?.[excludedLabel] !== undefined) return;
  const zone = zoneOf(node);
  const { ready, unready } = zones.get(zone) ?? { ready: 0, unready: 0 };
  const isReady = readyCondition(node)?.status === 'True';
  zones.set(zone, isReady ? { ready: ready + 1, unready } : { ready, unready: unready + 1 });
}
