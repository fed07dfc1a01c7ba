/** Empties terminating namespaces, and finalizes them when nothing is left. */

import { isStatusError } from '@coxswain/apimachinery';
import { discoveryClient, type Lister } from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import { resources, type Namespace } from '../objects.ts';
import { startReconciler } from '../reconciler.ts';
import { namespaceConditions } from './conditions.ts';
import { emptyNamespace } from './empty-namespace.ts';

/** How long API servers may take to notice that nothing may be created in the namespace any more. */
const settlingMs = 5_000;
/**
 * A single process has one consistent state, so this only covers clients that delete a namespace and its contents in
 * one command.
 */
const settlingInProcessMs = 250;
const retryMaxMs = 60_000;
const finalizerToken = 'kubernetes';

export const namespaceController: Controller = {
  name: 'namespace-controller',
  aliases: ['namespace'],
  serviceAccount: 'namespace-controller',
  start(context) {
    const namespaces = context.informers.informer<Namespace>(resources.namespaces);
    const deletion = new NamespaceDeletion(context, namespaces.lister);
    const reconciler = startReconciler(context, {
      queueName: 'namespace',
      workers: 10,
      retryMaxMs,
      ready: () => namespaces.synced,
      reconcile: deletion.syncNamespace.bind(deletion),
    });
    const delayMs = context.client.rest.transport.structured ? settlingInProcessMs : settlingMs;
    const wake = ({ metadata, spec }: Namespace) => {
      if (metadata.deletionTimestamp === undefined || !spec?.finalizers?.length) return;
      reconciler.addAfter(metadata.name ?? '', delayMs);
    };
    namespaces.addHandler(onWrite(wake));
  },
};

class NamespaceDeletion {
  readonly #context: ControllerContext;
  readonly #cached: Lister<Namespace>;

  constructor(context: ControllerContext, cached: Lister<Namespace>) {
    this.#context = context;
    this.#cached = cached;
  }

  async syncNamespace(name: string): Promise<number | void> {
    if (this.#cached.get(name)?.metadata.deletionTimestamp === undefined) return;
    const { client, clock } = this.#context;
    const namespaces = client.resource<Namespace>(resources.namespaces);
    const namespace = await found(namespaces.get(name));
    if (namespace?.metadata.deletionTimestamp === undefined || !namespace.spec?.finalizers?.length) return;
    // Discovered each time, since custom resources may have been added.
    const discovered = await discoveryClient(client.rest).discover();
    const { remaining, estimateSeconds, failure } = await emptyNamespace(
      client,
      discovered,
      namespace,
      clock,
    );
    this.#context.observer?.note?.({
      remaining: countsOf(remaining.objects),
      finalizers: countsOf(remaining.finalizers),
      checksAgainInSeconds: estimateSeconds,
    });
    const current = namespace.status?.conditions ?? [];
    const conditions = namespaceConditions(current, remaining, clock.now());
    let latest: Namespace | undefined = namespace;
    if (conditions !== current) {
      latest = await found(
        namespaces.updateStatus({
          ...namespace,
          status: { ...namespace.status, conditions: [...conditions] },
        }),
      );
    }
    if (failure !== undefined) throw failure;
    if (estimateSeconds > 0) return (Math.floor(estimateSeconds / 2) + 1) * 1000;
    if (latest !== undefined) await this.#finalize(latest);
  }

  async #finalize(namespace: Namespace): Promise<void> {
    const finalizers = (namespace.spec?.finalizers ?? []).filter((finalizer) => finalizer !== finalizerToken);
    const namespaces = this.#context.client.resource<Namespace>(resources.namespaces);
    await found(
      namespaces.update(
        { ...namespace, spec: { ...namespace.spec, finalizers } },
        { subresource: 'finalize' },
      ),
    );
  }
}

/** For recordings: `configmaps=1` */
const countsOf = (counts: ReadonlyMap<string, number>): readonly string[] =>
  [...counts].map(([name, count]) => `${name.replace(/\.$/, '')}=${count}`);

/** Undefined if it is gone, which is the goal. */
async function found<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return undefined;
    throw error;
  }
}
