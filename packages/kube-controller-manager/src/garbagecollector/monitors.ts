/** Follows the objects of every kind that can be deleted. */

import { apiVersionOf } from '@coxswain/apimachinery';
import { discoveryClient, restMapper, type ApiResource } from '@coxswain/client';
import type { GarbageCollector } from './collector.ts';

/** The interval of discovery. */
const discoveryPeriodMs = 30_000;

const ignored: ReadonlySet<string> = new Set(['/events', 'events.k8s.io/events']);

/** Maintains a monitor for each kind of deletable objects. */
export async function monitorKinds(collector: GarbageCollector, ready: () => void): Promise<void> {
  const { clock, signal } = collector.context;
  while (!signal.aborted) {
    await resyncMonitors(collector).catch((error: unknown) => collector.context.onError(error));
    ready();
    await clock.sleep(discoveryPeriodMs, signal).catch(() => undefined);
  }
}

async function resyncMonitors(collector: GarbageCollector): Promise<void> {
  const discovered = await discoveryClient(collector.context.client.rest).discover();
  collector.mapper = restMapper(discovered);
  const served = new Map<string, ApiResource>();
  for (const found of discovered.resources) {
    const key = `${found.group}/${found.resource}`;
    const usable = ['delete', 'list', 'watch'].every((verb) => found.verbs.includes(verb));
    if (usable && !served.has(key) && !ignored.has(key)) served.set(key, found);
  }
  const synced: Promise<void>[] = [];
  for (const [key, found] of served)
    if (!collector.monitors.has(key)) synced.push(startMonitor(collector, key, found));
  for (const [key, monitor] of collector.monitors) {
    const group = key.slice(0, key.indexOf('/'));
    const isUnknown = discovered.failures.some(({ groupVersion }) => groupVersion.startsWith(`${group}/`));
    if (served.has(key) || isUnknown) continue;
    monitor.stop.abort();
    collector.monitors.delete(key);
  }
  // A kind that can't be listed must not prevent the collection of all others.
  const enough = new AbortController();
  const { clock, signal } = collector.context;
  const until = AbortSignal.any([enough.signal, signal]);
  const patience = clock.sleep(discoveryPeriodMs, until).catch(() => undefined);
  await Promise.race([Promise.all(synced), patience]);
  enough.abort();
}

function startMonitor(collector: GarbageCollector, key: string, found: ApiResource): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, collector.context.signal]);
  const informer = collector.context.informers.metadataInformer(found, signal);
  const kind = { apiVersion: apiVersionOf(found), kind: found.kind };
  const remove = informer.addHandler({
    added: (object) => collector.graph.upsert(object, kind),
    updated: (before, after) => collector.graph.upsert(after, kind, before),
    deleted: ({ metadata }) => collector.graph.remove(metadata.uid ?? ''),
  });
  stop.signal.addEventListener('abort', remove, { once: true });
  collector.monitors.set(key, { stop });
  return informer.synced;
}
