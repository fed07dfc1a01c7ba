/** Looks after nodes: notices silence, and taints what should get no pods or lose those it has. */

import type { Counter } from '@coxswain/apimachinery/metrics/metrics.ts';
import { formatTime, isStatusError } from '@coxswain/apimachinery';
import { TokenBucket } from '@coxswain/client';
import type { Informer, Lister, ResourceClient } from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { resources } from '../objects.ts';
import type { Node, Pod } from '../objects.ts';
import { nodeIndex, podsByNode } from '../pods/node-index.ts';
import { startReconciler } from '../reconciler.ts';
import { olderLabels } from './node-labels.ts';
import { NodeHealth, readyCondition, unknownConditions } from './node-health.ts';
import type { Lease } from './node-health.ts';
import { notReadyTaint, unreachableTaint, withEvictionTaint, withSchedulingTaints } from './taints.ts';
import type { Taint } from './taints.ts';

const leaseNamespace = 'kube-node-lease';
const zoneLabels = ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone'];
/** A zone with so large a share of unready nodes, and more than two of them, is evicted more slowly. */
const partialDisruptionShare = 0.55;
const largeZoneNodesMin = 50;
const secondaryEvictionRate = 0.01;

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
  while (!context.signal.aborted) {
    await monitor.look().catch((error: unknown) => context.onError(error));
    await context.clock.sleep(context.settings.nodeMonitorPeriodMs, context.signal).catch(() => undefined);
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
  readonly #buckets = new Map<string, { rate: number; bucket: TokenBucket }>();

  constructor(context: ControllerContext, nodes: Lister<Node>, leases: Lister<Lease>, pods: Lister<Pod>) {
    this.#context = context;
    this.#nodes = nodes;
    this.#leases = leases;
    this.#pods = pods;
    this.#client = context.client.resource<Node>(resources.nodes);
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
    this.#announce();
    const zones = new Map<string, Node[]>();
    for (const node of this.#nodes.list()) {
      const judging = this.#judge(node);
      const judged = judging instanceof Promise ? await judging : judging;
      const zone = zoneLabels.map((label) => judged.metadata.labels?.[label] ?? '').join('/');
      const members = zones.get(zone);
      if (members === undefined) zones.set(zone, [judged]);
      else members.push(judged);
    }
    for (const [zone, nodes] of zones) await this.#taintForEviction(zone, nodes);
  }

  #announce(): void {
    const events = this.#context.events('node-controller');
    const present = new Set(this.#nodes.list().map(({ metadata }) => metadata.name ?? ''));
    const tell = (name: string, uid: string, reason: string, text: string) =>
      events.event({ kind: 'Node', name, uid }, 'Normal', reason, text);
    for (const name of present) {
      if (this.#known.has(name)) continue;
      this.#known.add(name);
      const uid = this.#nodes.get(name)?.metadata.uid ?? '';
      tell(name, uid, 'RegisteredNode', `Registered Node ${name} in Controller`);
    }
    for (const name of this.#known) {
      if (present.has(name)) continue;
      this.#known.delete(name);
      tell(name, '', 'RemovingNode', `Removing Node ${name} from Controller`);
    }
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

  /** When a whole zone seems down, it is more likely that we are: nobody is evicted then. */
  async #taintForEviction(zone: string, nodes: readonly Node[]): Promise<void> {
    const unready = nodes.filter((node) => readyCondition(node)?.status !== 'True');
    const rate = this.#evictionRate(nodes.length, unready.length);
    const evictions = this.#evictionsOf(nodes[0]);
    for (const node of nodes) {
      const status = readyCondition(node)?.status;
      const key = status === 'True' ? undefined : status === 'False' ? notReadyTaint : unreachableTaint;
      const taints = withEvictionTaint(node, key, this.#context.clock.now());
      if (taints === (node.spec?.taints ?? taints)) continue;
      const isNew = taints.length > (node.spec?.taints?.length ?? 0);
      if (isNew && (rate === 0 || !this.#bucket(zone, rate).tryAccept())) continue;
      await this.#writeTaints(node, taints);
      if (isNew) evictions.add();
    }
  }

  #evictionsOf(node: Node | undefined): Counter {
    const [region = '', zone = ''] = zoneLabels.map((label) => node?.metadata.labels?.[label] ?? '');
    return this.#context.metrics.counter(
      'node_collector_evictions_total',
      'Nodes whose pods were made to leave since they are not ready, by zone.',
      { zone: region === '' && zone === '' ? '' : `${region}:\0:${zone}` },
    );
  }

  #evictionRate(total: number, unready: number): number {
    if (unready === total) return 0;
    const disrupted = unready > 2 && unready / total >= partialDisruptionShare;
    if (!disrupted) return this.#context.settings.nodeEvictionRate;
    return total > largeZoneNodesMin ? secondaryEvictionRate : 0;
  }

  #bucket(zone: string, rate: number): TokenBucket {
    const known = this.#buckets.get(zone);
    if (known?.rate === rate) return known.bucket;
    const bucket = new TokenBucket(this.#context.clock, rate, 1);
    this.#buckets.set(zone, { rate, bucket });
    return bucket;
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
