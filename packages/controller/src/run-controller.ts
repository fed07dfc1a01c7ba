/** Turns changes into requests, and requests into reconciles. */

import type { KubeObject } from '@coxswain/apimachinery';
import {
  WorkQueue,
  controllerRetry,
  runWorkers,
  type EventHandler,
  type EventRecorder,
  type KindRef,
  type WorkersOptions,
} from '@coxswain/client';
import { observedReconcile } from '@coxswain/client/queue/observed-reconcile.ts';
import { queueWatcher } from '@coxswain/client/queue/queue-metrics.ts';
import type { Cache } from './cache.ts';
import type { Controller, ReconcileContext } from './controller.ts';
import type { Manager, Runnable } from './manager.ts';
import { controllerOf, refersTo } from './owner-references.ts';
import { all, type Predicate } from './predicates.ts';
import { reconcileMetrics } from './reconcile-metrics.ts';
import { keyOf, requestFor, requestOf, type Request } from './request.ts';
import { TerminalError } from './terminal-error.ts';

/** The maximum number of objects triggered by one change; more indicates a faulty mapping and is refused. */
const requestsPerChangeMax = 10_000;

/** A kind, and what its changes trigger. */
interface Source {
  readonly kind: KindRef;
  readonly cache: Cache;
  readonly predicate: Predicate;
  requests(object: KubeObject): readonly Request[];
}

/**
 * A part of a manager that calls `reconcile` for every object of a kind, whenever a relevant change occurs.
 * @example
 * const scaler = controller({
 *   name: 'scaler',
 *   for: Widget,
 *   owns: [Deployment],
 *   predicates: [generationChanged],
 *   async reconcile({ namespace, name }, { cache, client, events }) {
 *     const widget = cache.of(Widget).get(name, namespace);
 *     if (widget === undefined) return; // it is gone
 *     const metadata = { name, namespace, ownerReferences: [controllerReference(Widget, widget)] };
 *     await client.apply({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: specFor(widget) }, { fieldManager: 'scaler' });
 *     events.event({ ...widget, apiVersion: Widget.apiVersion, kind: Widget.kind }, 'Normal', 'Applied', 'it has its Deployment');
 *     return { requeueAfterMs: 60_000 };
 *   },
 * });
 * await createManager({ client }).add(scaler).start(signal);
 */
export const controller = <T>(definition: Controller<T>): Runnable => ({
  name: definition.name,
  needsLeaderElection: true,
  prepare: (manager) => registerWatches(manager, definition),
  start: (manager, signal) => runController(manager, definition, signal),
});

/** Registered early, so that the caches are filled before any instance leads. */
function registerWatches<T>(manager: Manager, definition: Controller<T>): void {
  for (const { kind, cache } of sourcesOf(manager, definition)) cache.informer(kind);
}

/** Resolves when the signal is aborted and the last reconcile has finished. */
async function runController<T>(
  manager: Manager,
  definition: Controller<T>,
  signal: AbortSignal,
): Promise<void> {
  const { clock, metrics } = manager;
  const { name, maxConcurrentReconciles = 1 } = definition;
  const queue = new WorkQueue({
    clock,
    retry: controllerRetry(clock, definition.retryFirstMs, definition.retryMaxMs),
    observer: manager.observer,
    ...(metrics === undefined ? {} : { watcher: queueWatcher(name, metrics, clock) }),
  });
  const removals = sourcesOf(manager, definition).map((source) => {
    // A waiting worker receives a key at once, so adding it twice would process it twice.
    const wake = (...objects: readonly KubeObject[]) => {
      const requests = objects.flatMap((object) => source.requests(object));
      if (requests.length > requestsPerChangeMax)
        throw new Error(
          `${name}: a change triggers ${requests.length} requests, more than ${requestsPerChangeMax}`,
        );
      for (const key of new Set(requests.map(keyOf))) queue.add(key);
    };
    return source.cache
      .informer<KubeObject>(source.kind as KindRef<KubeObject>)
      .addHandler(handlerOf(source.predicate, wake));
  });
  const report = (error: unknown, key?: string) => manager.onError(error, name, key);
  const failed = new AbortController();
  const until = AbortSignal.any([signal, failed.signal]);
  const context = contextOf(manager, definition, until);
  const reconcile = reconcileStep(manager, definition, queue, context, report);
  const enqueue = (request: Request) => queue.add(keyOf(request));
  const triggered = (definition.triggers ?? []).map(async (trigger) => {
    try {
      await trigger(enqueue, context);
    } catch (error) {
      failed.abort();
      throw error;
    }
  });
  const working = runWorkers({
    queue,
    workers: maxConcurrentReconciles,
    signal: until,
    reconcile,
    onError: report,
  });
  try {
    await Promise.all([working, ...triggered]);
  } finally {
    await Promise.allSettled([working, ...triggered]);
    for (const remove of removals) remove();
  }
}

function handlerOf(
  predicate: Predicate,
  wake: (...objects: readonly KubeObject[]) => void,
): EventHandler<KubeObject> {
  return {
    added: (object) => predicate.created?.(object) !== false && wake(object),
    // Objects affected by the former state must be notified, too.
    updated: (before, after) => predicate.updated?.(before, after) !== false && wake(before, after),
    deleted: (object) => predicate.deleted?.(object) !== false && wake(object),
  };
}

function sourcesOf<T>(manager: Manager, definition: Controller<T>): readonly Source[] {
  const { owns = [], watches = [], predicates = [] } = definition;
  const owner: KindRef = definition.for;
  const { cache } = manager;
  return [
    {
      kind: owner,
      cache,
      predicate: all(...(predicates as readonly Predicate[])),
      requests: (object) => [requestFor(object)],
    },
    ...owns.map((kind) => ({
      kind,
      cache,
      predicate: {},
      requests: (object: KubeObject) => ownerOf(object, owner),
    })),
    ...watches.map(({ kind, predicates: chosen, requests, cluster }) => ({
      kind,
      cache: cluster?.cache ?? cache,
      predicate: all(...chosen),
      requests: (object: KubeObject) => requests(object, cache),
    })),
  ];
}

function ownerOf(object: KubeObject, owner: KindRef): readonly Request[] {
  const reference = controllerOf(object);
  if (reference === undefined || !refersTo(reference, owner)) return [];
  const isNamespaced = owner.names?.namespaced !== false;
  return [{ namespace: isNamespaced ? (object.metadata.namespace ?? '') : '', name: reference.name }];
}

function reconcileStep<T>(
  manager: Manager,
  definition: Controller<T>,
  queue: WorkQueue,
  context: ReconcileContext,
  report: (error: unknown, key: string) => void,
): WorkersOptions['reconcile'] {
  const { clock, observer, metrics } = manager;
  const { name, maxConcurrentReconciles = 1 } = definition;
  const counts =
    metrics === undefined ? undefined : reconcileMetrics(metrics, clock, name, maxConcurrentReconciles);
  const once = async (key: string): Promise<number | void> => {
    const over = counts?.begun();
    try {
      const result = await definition.reconcile(requestOf(key), context);
      over?.(result?.requeueAfterMs === undefined ? 'success' : 'requeue_after');
      return result?.requeueAfterMs;
    } catch (error) {
      over?.('error');
      if (!(error instanceof TerminalError)) throw error;
      report(error, key);
    }
  };
  return observedReconcile({
    queue,
    observer,
    component: name,
    reconcile: once,
    work: definition.reconcile,
  });
}

function contextOf<T>(manager: Manager, definition: Controller<T>, signal: AbortSignal): ReconcileContext {
  const { client, cache, clock } = manager;
  const events = recorderFor(definition.for, manager.recorder(definition.name));
  return { client, cache, events, clock, signal };
}

/** Cached objects lack their kind; those being reconciled all have the same one. */
const recorderFor = ({ apiVersion, kind }: KindRef, recorder: EventRecorder): EventRecorder => ({
  event: (object, ...what) =>
    recorder.event('metadata' in object ? { apiVersion, kind, ...object } : object, ...what),
});
