/** Monitors nodes: detects silent ones, and adds taints that keep pods away or evict them. */

import { formatTime, isStatusError } from '@coxswain/apimachinery';
import type { Informer, Lister, ResourceClient } from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { resources, type Node, type Pod } from '../objects.ts';
import { nodeIndex, podsByNode } from '../pods/node-index.ts';
import { ownInitiative } from '../own-initiative.ts';
import { startReconciler } from '../reconciler.ts';
import { visitAll } from '../visit-all.ts';
import { NodeEvictions } from './node-evictions.ts';
import { olderLabels } from './node-labels.ts';
import { NodeHealth, readyCondition, unknownConditions, type Lease } from './node-health.ts';
import { withSchedulingTaints, type Taint } from './taints.ts';

const leaseNamespace = 'kube-node-lease';
/** The interval, in milliseconds, at which queued nodes get a turn. */
const evictionPeriodMs = 100;

export const nodeLifecycleController: Controller = {
  name: 'node-lifecycle-controller',
  aliases: ['nodelifecycle'],
  serviceAccount: 'node-controller',
  start(context) {
    const nodes = context.informers.informer<Node>(resources.nodes);
    const leases = context.informers.informer<Lease>(resources.leases);
    const pods = context.informers.informer<Pod>(resources.pods, { [nodeIndex]: podsByNode });
    const evictions = new NodeEvictions(context, nodes.lister);
    const monitor = new NodeMonitor(context, nodes.lister, leases.lister, pods.lister, evictions);
    const reconciler = startReconciler(context, {
      queueName: 'node_lifecycle_controller',
      workers: 8,
      ready: () => nodes.synced,
      reconcile: monitor.taintForScheduling.bind(monitor),
    });
    nodes.addHandler({
      added: reconciler.addObject,
      updated(before, after) {
        if (before.metadata.resourceVersion !== after.metadata.resourceVersion) reconciler.addObject(after);
      },
      deleted: (node) => monitor.removed(node),
    });
    context.run(watchOver(context, monitor, evictions, [nodes, leases, pods]));
  },
};

async function watchOver(
  context: ControllerContext,
  monitor: NodeMonitor,
  evictions: NodeEvictions,
  caches: readonly Pick<Informer<Node>, 'synced'>[],
) {
  await Promise.all(caches.map(({ synced }) => synced));
  const { clock, signal, settings } = context;
  while (!signal.aborted) {
    const nextLookMs = clock.monotonic() + settings.nodeMonitorPeriodMs;
    await monitor.look().catch((error: unknown) => context.onError(error));
    for (let restMs; (restMs = nextLookMs - clock.monotonic()) > 0 && !signal.aborted;) {
      await evictions.run().catch((error: unknown) => context.onError(error));
      const pauseMs = evictions.areIdle ? restMs : Math.min(restMs, evictionPeriodMs);
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
  readonly #evictions: NodeEvictions;

  constructor(
    context: ControllerContext,
    nodes: Lister<Node>,
    leases: Lister<Lease>,
    pods: Lister<Pod>,
    evictions: NodeEvictions,
  ) {
    this.#context = context;
    this.#nodes = nodes;
    this.#leases = leases;
    this.#pods = pods;
    this.#client = context.client.resource<Node>(resources.nodes);
    this.#evictions = evictions;
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

  /** Checks all nodes once. */
  async look(): Promise<void> {
    const nodes = this.#nodes.list();
    const { clock } = this.#context;
    await visitAll(nodes, (node) => this.#evictions.observe(node), clock);
    for (const node of await this.#announce(nodes)) await this.#evictions.spare(node);
    const judged: Node[] = [];
    const mark = (node: Node): Promise<unknown> | undefined => {
      judged.push(node);
      return this.#evictions.mark(node);
    };
    const judgeAndMark = ({ metadata }: Node): Promise<unknown> | undefined => {
      const node = this.#nodes.get(metadata.name ?? '');
      if (node === undefined) return undefined;
      const judging = this.#judge(node);
      return judging instanceof Promise ? judging.then(mark) : mark(judging);
    };
    await visitAll(nodes, judgeAndMark, clock);
    const areBack = await this.#evictions.judgeZones(judged);
    if (areBack) this.#health.heardOfAll(clock.now());
  }

  /** Records events about added and removed nodes. Returns the added ones. */
  async #announce(nodes: readonly Node[]): Promise<readonly Node[]> {
    const added: Node[] = [];
    const events = this.#context.events('node-controller');
    const present = new Set<string>();
    const report = (name: string, uid: string, reason: string, text: string) =>
      events.event({ kind: 'Node', name, uid }, 'Normal', reason, text);
    const greet = (node: Node): void => {
      const { name = '', uid = '' } = node.metadata;
      present.add(name);
      if (this.#known.has(name)) return;
      this.#known.add(name);
      added.push(node);
      report(name, uid, 'RegisteredNode', `Registered Node ${name} in Controller`);
    };
    await visitAll(nodes, greet, this.#context.clock);
    if (present.size === this.#known.size) return added;
    for (const name of this.#known) {
      if (present.has(name)) continue;
      this.#known.delete(name);
      report(name, '', 'RemovingNode', `Removing Node ${name} from Controller`);
    }
    return added;
  }

  /** Returns the node after recording its silence, if any; synchronously for the majority that are healthy. */
  #judge(node: Node): Node | Promise<Node> {
    const { clock, settings } = this.#context;
    const name = node.metadata.name ?? '';
    const ready = readyCondition(node);
    const graceMs =
      ready === undefined ? settings.nodeStartupGracePeriodMs : settings.nodeMonitorGracePeriodMs;
    const silentMs = this.#health.silentMs(node, this.#leases.get(name, leaseNamespace), clock.now());
    if (silentMs <= graceMs) return node;
    const conditions = unknownConditions(node, clock.now());
    if (conditions === node.status?.conditions) return node;
    return ownInitiative(
      this.#context,
      { object: node, work: this.#writeSilence, values: { silentMs, graceMs } },
      () => this.#writeSilence(node, conditions),
    );
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

  async #writeTaints(node: Node, taints: readonly Taint[]): Promise<void> {
    const current = node.spec?.taints ?? [];
    if (taints === current || (taints.length === 0 && current.length === 0)) return;
    const { name = '', resourceVersion } = node.metadata;
    const patch = { metadata: { resourceVersion }, spec: { taints } };
    try {
      await this.#client.patch(name, patch, { type: 'merge' });
    } catch (error) {
      // A concurrent change triggers another check.
      if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error;
    }
  }
}
