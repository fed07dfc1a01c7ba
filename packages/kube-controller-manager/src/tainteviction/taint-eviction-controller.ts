/** Deletes pods from nodes with NoExecute taints as soon as they no longer tolerate them. */

import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { isStatusError } from '@coxswain/apimachinery';
import type { Taint } from '@coxswain/api/core/v1/taint.ts';
import { tolerates } from '@coxswain/api/core/v1/pod/tolerations.ts';
import { objectKey, type Lister } from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { resources, type Node, type Pod } from '../objects.ts';
import { disruptionTarget } from '../pods/disruption-target.ts';
import { nodeIndex, podsByNode } from '../pods/node-index.ts';
import { startReconciler } from '../reconciler.ts';

const controllerName = 'taint-eviction-controller';

export const taintEvictionController: Controller = {
  name: controllerName,
  aliases: [],
  serviceAccount: 'node-controller',
  start(context) {
    const nodes = context.informers.informer<Node>(resources.nodes);
    const pods = context.informers.informer<Pod>(resources.pods, { [nodeIndex]: podsByNode });
    const evictions = new Evictions(context, nodes.lister, pods.lister);
    const reconciler = startReconciler(context, {
      queueName: 'noexec_taint_pod',
      ready: () => Promise.all([nodes.synced, pods.synced]),
      reconcile: evictions.syncTaintEviction.bind(evictions),
    });
    const wakeNode = (name: string) => {
      for (const pod of pods.lister.byIndex(nodeIndex, name)) reconciler.addObject(pod);
    };
    const evicting = (node: Node) => JSON.stringify(evictingTaints(node));
    nodes.addHandler({
      added(node) {
        if (evictingTaints(node).length > 0) wakeNode(node.metadata.name ?? '');
      },
      updated(before, after) {
        if (before.spec?.taints !== after.spec?.taints && evicting(before) !== evicting(after))
          wakeNode(after.metadata.name ?? '');
      },
    });
    const wakePod = (pod: Pod) => {
      const node = pod.spec?.nodeName ? nodes.lister.get(pod.spec.nodeName) : undefined;
      if (node !== undefined && evictingTaints(node).length > 0) reconciler.addObject(pod);
    };
    pods.addHandler({
      added: wakePod,
      updated(before, after) {
        const isBound = before.spec?.nodeName !== after.spec?.nodeName;
        if (isBound || before.spec?.tolerations?.length !== after.spec?.tolerations?.length) wakePod(after);
      },
      deleted: (pod) => evictions.forget(objectKey(pod)),
    });
  },
};

const evictingTaints = ({ spec }: Node): Taint[] =>
  (spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');

/** In seconds. */
const delayBounds: readonly number[] = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 30, 60, 120, 180, 240];

const evictionMetrics = (metrics: Metrics) => ({
  deletions: metrics.counter(
    'taint_eviction_controller_pod_deletions_total',
    'Pods deleted because they do not tolerate a taint.',
  ),
  delays: metrics.histogram(
    'taint_eviction_controller_pod_deletion_duration_seconds',
    'Latency between the time at which a pod should be deleted and its deletion, in seconds.',
    delayBounds,
  ),
});

class Evictions {
  readonly #context: ControllerContext;
  readonly #metrics: ReturnType<typeof evictionMetrics>;
  readonly #nodes: Lister<Node>;
  readonly #pods: Lister<Pod>;
  /** When each pod is evicted, in milliseconds since the epoch. */
  readonly #due = new Map<string, number>();

  constructor(context: ControllerContext, nodes: Lister<Node>, pods: Lister<Pod>) {
    this.#context = context;
    this.#metrics = evictionMetrics(context.metrics);
    this.#nodes = nodes;
    this.#pods = pods;
  }

  forget(key: string): void {
    this.#due.delete(key);
  }

  async syncTaintEviction(key: string): Promise<number | void> {
    const pod = this.#pods.byKey(key);
    // A pod that is already terminating gets the event, too.
    if (pod === undefined) return this.forget(key);
    const node = this.#nodes.get(pod.spec?.nodeName ?? '');
    const taints = node === undefined ? [] : evictingTaints(node);
    const nowMs = this.#context.clock.now();
    const toleratedMs = toleratedFor(pod, taints);
    if (taints.length > 0)
      this.#context.observer?.note?.({
        taints: taints.map((taint) => taint.key),
        toleratedMs: toleratedMs === Infinity ? 'forever' : toleratedMs,
      });
    if (toleratedMs === Infinity) return this.#cancel(pod, key);
    if (toleratedMs > 0) {
      // Counts from when it was first seen there, not from when the node was tainted: a pod may be bound to a tainted
      // node.
      const dueMs = this.#due.get(key) ?? nowMs + toleratedMs;
      this.#due.set(key, dueMs);
      if (dueMs > nowMs) return dueMs - nowMs;
    }
    await this.#evict(pod);
    this.#metrics.deletions.add();
    this.#metrics.delays.observe((this.#context.clock.now() - (this.#due.get(key) ?? nowMs)) / 1000);
    this.forget(key);
  }

  #cancel(pod: Pod, key: string): void {
    if (!this.#due.has(key)) return;
    this.forget(key);
    this.#report(pod, `Cancelling deletion of Pod ${key}`);
  }

  async #evict(pod: Pod): Promise<void> {
    const { namespace = '', name = '', uid = '' } = pod.metadata;
    this.#report(pod, `Marking for deletion Pod ${namespace}/${name}`);
    const client = this.#context.client.resource<Pod>(resources.pods).namespace(namespace);
    const condition = disruptionTarget(pod, 'True', this.#context.clock.now(), {
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
    });
    try {
      await client.patch(
        name,
        { metadata: { uid }, status: { conditions: [condition] } },
        { subresource: 'status' },
      );
      await client.delete(name);
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error;
    }
  }

  #report(pod: Pod, message: string): void {
    const { namespace = '', name = '', uid = '' } = pod.metadata;
    const about = { apiVersion: 'v1', kind: 'Pod', namespace, name, uid };
    this.#context.events(controllerName).event(about, 'Normal', 'TaintManagerEviction', message);
  }
}

/** In milliseconds: 0 if a taint is not tolerated at all, Infinity if all are tolerated forever. */
function toleratedFor(pod: Pod, taints: readonly Taint[]): number {
  let shortest = Infinity;
  for (const taint of taints) {
    const matching = (pod.spec?.tolerations ?? []).filter((toleration) => tolerates([toleration], taint));
    if (matching.length === 0) return 0;
    for (const { tolerationSeconds: seconds } of matching) {
      if (seconds !== undefined && seconds !== null)
        shortest = Math.min(shortest, Math.max(0, seconds) * 1000);
    }
  }
  return shortest;
}
