/** Deletes pods that nothing else deletes: surplus finished ones, and those whose node is gone. */

import { isStatusError } from '@coxswain/apimachinery';
import type { Lister } from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { resources, type Node, type Pod } from '../objects.ts';
import { ownInitiative } from '../own-initiative.ts';
import { disruptionTarget } from '../pods/disruption-target.ts';
import { isFinished } from '../pods/pod-state.ts';
import { visitAll } from '../visit-all.ts';

const periodMs = 20_000;
/** A node must be missing for this long, and also be missing on the server. */
const quarantineMs = 40_000;
const outOfServiceTaint = 'node.kubernetes.io/out-of-service';

export const podGarbageCollector: Controller = {
  name: 'pod-garbage-collector-controller',
  aliases: ['podgc'],
  serviceAccount: 'pod-garbage-collector',
  start(context) {
    const pods = context.informers.informer<Pod>(resources.pods);
    const nodes = context.informers.informer<Node>(resources.nodes);
    context.run(
      (async () => {
        await Promise.all([pods.synced, nodes.synced]);
        const collection = new PodCollection(context, pods.lister, nodes.lister);
        while (!context.signal.aborted) {
          await collection.collect().catch((error: unknown) => context.onError(error));
          await context.clock.sleep(periodMs, context.signal).catch(() => undefined);
        }
      })(),
    );
  },
};

interface Suspects {
  readonly finished: Pod[];
  /** Terminating pods. */
  readonly leaving: Pod[];
  readonly onMissingNodes: Pod[];
}

class PodCollection {
  readonly #context: ControllerContext;
  readonly #pods: Lister<Pod>;
  readonly #nodes: Lister<Node>;
  readonly #missingSince = new Map<string, number>();

  constructor(context: ControllerContext, pods: Lister<Pod>, nodes: Lister<Node>) {
    this.#context = context;
    this.#pods = pods;
    this.#nodes = nodes;
  }

  async collect(): Promise<void> {
    const { finished, leaving, onMissingNodes } = await this.#suspects();
    await this.#collectFinished(finished);
    await this.#collectOutOfService(leaving);
    await this.#collectOrphans(onMissingNodes);
    // Never bound, so no kubelet will finish its deletion.
    for (const pod of leaving) if (!pod.spec?.nodeName) await this.#remove(pod);
  }

  /** Returns candidates, usually few of all pods. */
  async #suspects(): Promise<Suspects> {
    const suspects: Suspects = { finished: [], leaving: [], onMissingNodes: [] };
    const look = (pod: Pod): void => {
      if (isFinished(pod)) suspects.finished.push(pod);
      if (pod.metadata.deletionTimestamp !== undefined) suspects.leaving.push(pod);
      const node = pod.spec?.nodeName;
      if (node && this.#nodes.get(node) === undefined) suspects.onMissingNodes.push(pod);
    };
    await visitAll(this.#pods.list(), look, this.#context.clock);
    return suspects;
  }

  async #collectFinished(pods: readonly Pod[]): Promise<void> {
    const { terminatedPodsMax } = this.#context.settings;
    if (terminatedPodsMax <= 0 || pods.length <= terminatedPodsMax) return;
    const isEvicted = ({ status }: Pod) => status?.reason === 'Evicted';
    const created = ({ metadata }: Pod) => metadata.creationTimestamp ?? '';
    const finished = pods.toSorted(
      (a, b) => Number(isEvicted(b)) - Number(isEvicted(a)) || (created(a) < created(b) ? -1 : 1),
    );
    for (const pod of finished.slice(0, finished.length - terminatedPodsMax)) await this.#remove(pod);
  }

  /** Handles nodes that an administrator has marked as out of service. */
  async #collectOutOfService(pods: readonly Pod[]): Promise<void> {
    for (const pod of pods) {
      const node = this.#nodes.get(pod.spec?.nodeName ?? '');
      const isReady = node?.status?.conditions?.some(
        ({ type, status }) => type === 'Ready' && status === 'True',
      );
      if (isReady === false && node?.spec?.taints?.some(({ key }) => key === outOfServiceTaint))
        await this.#remove(pod);
    }
  }

  async #collectOrphans(pods: readonly Pod[]): Promise<void> {
    const nowMs = this.#context.clock.monotonic();
    const missing = new Set(pods.map(({ spec }) => spec?.nodeName ?? ''));
    for (const name of this.#missingSince.keys()) if (!missing.has(name)) this.#missingSince.delete(name);
    const gone = new Set<string>();
    for (const name of missing) {
      const since = this.#missingSince.get(name) ?? nowMs;
      this.#missingSince.set(name, since);
      if (nowMs - since >= quarantineMs && !(await this.#exists(name))) gone.add(name);
    }
    for (const pod of pods) {
      if (!gone.has(pod.spec?.nodeName ?? '')) continue;
      const condition = disruptionTarget(pod, 'True', this.#context.clock.now(), {
        reason: 'DeletionByPodGC',
        message: 'PodGC: node no longer exists',
      });
      await this.#remove(pod, condition);
    }
  }

  async #exists(node: string): Promise<boolean> {
    try {
      await this.#context.client.resource<Node>(resources.nodes).get(node);
      return true;
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return false;
      throw error;
    }
  }

  #remove(pod: Pod, condition?: ReturnType<typeof disruptionTarget>): Promise<void> {
    const values = { reason: condition?.message ?? 'surplus, or out of service' };
    return ownInitiative(this.#context, { object: pod, work: this.#removeNow, values }, () =>
      this.#removeNow(pod, condition),
    );
  }

  /** Deletes at once; a pod that still counts as running is first marked as failed. */
  async #removeNow(pod: Pod, condition?: ReturnType<typeof disruptionTarget>): Promise<void> {
    const { namespace = '', name = '', uid = '', generation } = pod.metadata;
    const client = this.#context.client.resource<Pod>(resources.pods).namespace(namespace);
    try {
      if (!isFinished(pod)) {
        const status = {
          phase: 'Failed',
          ...(generation === undefined ? {} : { observedGeneration: generation }),
          ...(condition === undefined ? {} : { conditions: [condition] }),
        };
        await client.patch(name, { metadata: { uid }, status }, { subresource: 'status' });
      }
      await client.delete(name, { gracePeriodSeconds: 0, preconditions: { uid } });
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) this.#context.onError(error, `${namespace}/${name}`);
    }
  }
}
