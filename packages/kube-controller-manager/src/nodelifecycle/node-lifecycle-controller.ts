/** Looks after nodes: notices silence, and taints what should get no pods or lose those it has. */

import type { Counter } from '@coxswain/apimachinery/metrics/metrics.ts';
import { formatTime, isStatusError } from '@coxswain/apimachinery';
import type { Informer, Lister, ResourceClient } from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { resources } from '../objects.ts';
import type { Node, Pod } from '../objects.ts';
import { nodeIndex, podsByNode } from '../pods/node-index.ts';
import { startReconciler } from '../reconciler.ts';
import { olderLabels } from './node-labels.ts';
import { NodeHealth, readyCondition, unknownConditions } from './node-health.ts';
import type { Lease } from './node-health.ts';
import {
  hasEvictionTaint,
  notReadyTaint,
  unreachableTaint,
  withEvictionTaint,
  withSchedulingTaints,
} from './taints.ts';
import type { Taint } from './taints.ts';
import { ZoneEvictions } from './zone-evictions.ts';
import { zoneOf } from './zone-state.ts';
import type { ZoneHealth } from './zone-state.ts';

const leaseNamespace = 'kube-node-lease';
/** Nodes with this label don't tell how their zone is. */
const excludedLabel = 'node.kubernetes.io/exclude-disruption';
/** How often nodes that wait get a turn, in milliseconds. */
const evictionPeriodMs = 100;
/** Tries of a change that others disturb. */
const conflictTriesMax = 5;

export const nodeLifecycleController: Controller = {
  name: 'node-lifecycle-controller',
  aliases: ['nodelifecycle'],
  serviceAccount: 'node-controller',
  start(context) {
    const nodes = context.informers.informer<Node>(resources.nodes);
    const leases = context.informers.informer<Lease>(resources.leases);
    const pods = context.informers.informer<Pod>(resources.pods, { [nodeIndex]: podsByNode });
    const monitor = new NodeMonitor(context, nodes.lister, leases.lister, pods.lister);
    const reconciler = startReconciler(context, {
      queueName: 'node_lifecycle_controller',
      workers: 8,
      ready: () => nodes.synced,
      reconcile: (name) => monitor.taintForScheduling(name),
    });
    nodes.addHandler({
      added: reconciler.addObject,
      updated(before, after) {
        if (before.metadata.resourceVersion !== after.metadata.resourceVersion) reconciler.addObject(after);
      },
      deleted: (node) => monitor.removed(node),
    });
    context.run(watchOver(context, monitor, [nodes, leases, pods]));
  },
};

async function watchOver(
  context: ControllerContext,
  monitor: NodeMonitor,
  caches: readonly Pick<Informer<Node>, 'synced'>[],
) {
  await Promise.all(caches.map(({ synced }) => synced));
  const { clock, signal, settings } = context;
  while (!signal.aborted) {
    const nextLookMs = clock.monotonic() + settings.nodeMonitorPeriodMs;
    await monitor.look().catch((error: unknown) => context.onError(error));
    for (let restMs; (restMs = nextLookMs - clock.monotonic()) > 0 && !signal.aborted;) {
      await monitor.evict().catch((error: unknown) => context.onError(error));
      const pauseMs = monitor.evictsNobody ? restMs : Math.min(restMs, evictionPeriodMs);
      await clock.sleep(pauseMs, signal).catch(() => undefined);
    }
  }
}

class NodeMonitor {
  readonly #context: ControllerContext;
  readonly #nodes: Lister<Node>;
  readonly #leases: Lister<Lease>;
  readonly #pods: Lister<Pod>;
  readonly #client: ResourceClient<Node>;
  readonly #health = new NodeHealth();
  readonly #known = new Set<string>();
  readonly #zones: ZoneEvictions;

  constructor(context: ControllerContext, nodes: Lister<Node>, leases: Lister<Lease>, pods: Lister<Pod>) {
    this.#context = context;
    this.#nodes = nodes;
    this.#leases = leases;
    this.#pods = pods;
    this.#client = context.client.resource<Node>(resources.nodes);
    this.#zones = new ZoneEvictions(context.clock, context.settings.nodeEvictionRates);
  }

  async taintForScheduling(name: string): Promise<void> {
    const node = this.#nodes.get(name);
    if (node === undefined) return;
    await this.#writeTaints(node, withSchedulingTaints(node, this.#context.clock.now()));
    const labels = olderLabels(node);
    if (labels === undefined) return;
    await this.#context.client.resource<Node>(resources.nodes).patch(name, { metadata: { labels } });
  }

  removed(node: Node): void {
    this.#health.forget(node.metadata.name ?? '');
  }

  /** One round over all nodes. */
  async look(): Promise<void> {
    const nodes = this.#nodes.list();
    for (const node of nodes) this.#zones.observe(zoneOf(node));
    for (const node of this.#announce()) await this.#spare(node);
    const zones = new Map<string, ZoneHealth>();
    for (const node of nodes) {
      const judging = this.#judge(node);
      const judged = judging instanceof Promise ? await judging : judging;
      count(zones, judged);
      const marking = this.#markForEviction(judged);
      if (marking !== undefined) await marking;
    }
    const turn = this.#zones.judge(zones);
    if (turn === 'all down') for (const node of nodes) await this.#spare(node);
    if (turn === 'some back') this.#health.heardOfAll(this.#context.clock.now());
  }

  get evictsNobody(): boolean {
    return [...this.#zones.queues].every(({ isEmpty }) => isEmpty);
  }

  /** Taints those whose turn it is. */
  async evict(): Promise<void> {
    for (const queue of this.#zones.queues) await queue.run((name) => this.#evictFrom(name));
  }

  /** Tells who came and who went. Those who came are returned. */
  #announce(): readonly Node[] {
    const added: Node[] = [];
    const events = this.#context.events('node-controller');
    const present = new Set(this.#nodes.list().map(({ metadata }) => metadata.name ?? ''));
    const tell = (name: string, uid: string, reason: string, text: string) =>
      events.event({ kind: 'Node', name, uid }, 'Normal', reason, text);
    for (const name of present) {
      if (this.#known.has(name)) continue;
      this.#known.add(name);
      const node = this.#nodes.get(name);
      if (node !== undefined) added.push(node);
      tell(name, node?.metadata.uid ?? '', 'RegisteredNode', `Registered Node ${name} in Controller`);
    }
    for (const name of this.#known) {
      if (present.has(name)) continue;
      this.#known.delete(name);
      tell(name, '', 'RemovingNode', `Removing Node ${name} from Controller`);
    }
    return added;
  }

  /** The node as it is now, after its silence was written down; at once for the many that are heard of. */
  #judge(node: Node): Node | Promise<Node> {
    const { clock, settings } = this.#context;
    const name = node.metadata.name ?? '';
    const ready = readyCondition(node);
    const graceMs =
      ready === undefined ? settings.nodeStartupGracePeriodMs : settings.nodeMonitorGracePeriodMs;
    const silentMs = this.#health.silentMs(node, this.#leases.get(name, leaseNamespace), clock.now());
    if (silentMs <= graceMs) return node;
    const conditions = unknownConditions(node, clock.now());
    if (conditions === (node.status?.conditions ?? conditions)) return node;
    return this.#writeSilence(node, conditions);
  }

  async #writeSilence(node: Node, conditions: ReturnType<typeof unknownConditions>): Promise<Node> {
    let updated: Node;
    try {
      updated = await this.#client.updateStatus({
        ...node,
        status: { ...node.status, conditions: [...conditions] },
      });
    } catch (error) {
      if (isStatusError(error, 'NotFound') || isStatusError(error, 'Conflict')) return node;
      throw error;
    }
    if (readyCondition(node)?.status === 'True') await this.#markPodsNotReady(updated);
    return updated;
  }

  async #markPodsNotReady(node: Node): Promise<void> {
    const { clock } = this.#context;
    const events = this.#context.events('node-controller');
    const name = node.metadata.name ?? '';
    const uid = node.metadata.uid ?? '';
    events.event(
      { kind: 'Node', name, uid },
      'Normal',
      'NodeNotReady',
      `Node ${name} status is now: NodeNotReady`,
    );
    for (const pod of this.#pods.byIndex(nodeIndex, name)) {
      const conditions = pod.status?.conditions ?? [];
      if (!conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) continue;
      const now = formatTime(clock.now());
      const changed = conditions.map((condition) =>
        condition.type === 'Ready' ? { ...condition, status: 'False', lastTransitionTime: now } : condition,
      );
      const { namespace = '', name: podName = '' } = pod.metadata;
      const pods = this.#context.client.resource<Pod>(resources.pods).namespace(namespace);
      try {
        await pods.updateStatus({ ...pod, status: { ...pod.status, conditions: changed } });
      } catch (error) {
        if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error;
      }
      const reference = {
        kind: 'Pod',
        apiVersion: 'v1',
        namespace,
        name: podName,
        uid: pod.metadata.uid ?? '',
      };
      events.event(reference, 'Warning', 'NodeNotReady', 'Node is not ready');
    }
  }

  /** Undefined for the many of whom there is nothing to write. */
  #markForEviction(node: Node): Promise<unknown> | undefined {
    const status = readyCondition(node)?.status;
    if (status === undefined) return undefined;
    if (status === 'True') return this.#spare(node);
    const [key, opposite] =
      status === 'False' ? [notReadyTaint, unreachableTaint] : [unreachableTaint, notReadyTaint];
    const { name = '' } = node.metadata;
    // It has lost its pods already, for the other reason.
    if (hasEvictionTaint(node, opposite)) return this.#setEvictionTaint(name, key);
    const queue = this.#zones.queueOf(zoneOf(node));
    if (!hasEvictionTaint(node, key)) queue?.remove(name);
    queue?.add(name);
    return undefined;
  }

  /** Its pods may stay. */
  #spare(node: Node): Promise<unknown> | undefined {
    const { name = '' } = node.metadata;
    this.#zones.queueOf(zoneOf(node))?.remove(name);
    const isTainted = [notReadyTaint, unreachableTaint].some((key) => hasEvictionTaint(node, key));
    return isTainted ? this.#setEvictionTaint(name, undefined) : undefined;
  }

  async #evictFrom(name: string): Promise<boolean> {
    const node = this.#nodes.get(name);
    if (node === undefined) return true;
    const status = readyCondition(node)?.status;
    if (status === undefined) return false;
    if (status === 'True') return true;
    const isDone = await this.#setEvictionTaint(name, status === 'False' ? notReadyTaint : unreachableTaint);
    if (isDone) this.#evictionsOf(node).add();
    return isDone;
  }

  #evictionsOf(node: Node): Counter {
    return this.#context.metrics.counter(
      'node_collector_evictions_total',
      'Nodes whose pods were made to leave since they are not ready, by zone.',
      { zone: zoneOf(node) },
    );
  }

  /** On the node as it is now. Resolves with false when that could not be done. */
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

  async #writeTaints(node: Node, taints: readonly Taint[]): Promise<void> {
    const current = node.spec?.taints ?? [];
    if (taints === current || (taints.length === 0 && current.length === 0)) return;
    const { name = '', resourceVersion } = node.metadata;
    const patch = { metadata: { resourceVersion }, spec: { taints } };
    try {
      await this.#client.patch(name, patch, { type: 'merge' });
    } catch (error) {
      // Somebody was faster: the change wakes us again.
      if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error;
    }
  }
}

function count(zones: Map<string, ZoneHealth>, node: Node): void {
  if (node.metadata.labels?.[excludedLabel] !== undefined) return;
  const zone = zoneOf(node);
  const { ready, unready } = zones.get(zone) ?? { ready: 0, unready: 0 };
  const isReady = readyCondition(node)?.status === 'True';
  zones.set(zone, isReady ? { ready: ready + 1, unready } : { ready, unready: unready + 1 });
}
