/** Metrics of the server as a whole, computed when they are read. */
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import type { Metrics, Sample } from '@coxswain/apimachinery/metrics/metrics.ts';
import { describeProgram } from '@coxswain/component-base/program-metrics.ts';
import { describeKeys } from '../encryption/key-metrics.ts';
import type { StoreRegistry } from '../groups/store-registry.ts';
import type { CompletedOptions } from '../server/completed-options.ts';
import type { ServerState } from '../server/server-state.ts';

/** An in-process store knows its size. */
interface SizedStorage {
  size(): { readonly totalBytes: number };
}

/** Either the storage itself or the engine below it knows the size. */
function sizedOf(storage: object): SizedStorage | undefined {
  if ('size' in storage) return storage as SizedStorage;
  return 'engine' in storage && typeof storage.engine === 'object' && storage.engine !== null
    ? sizedOf(storage.engine)
    : undefined;
}

export function describeServer(
  { features, storage, observability, mainThread }: CompletedOptions,
  { metrics, stores }: ServerState,
): void {
  // In a server with several threads, the main thread reports what exists once.
  if (mainThread !== undefined) return;
  describeProgram(metrics, features, observability?.gitVersion);
  describeCaches(metrics, stores);
  describeKeys(metrics);
  const sized = sizedOf(storage);
  if (sized !== undefined) {
    const labels = { storage_cluster_id: 'embedded-0' };
    const read = () => sized.size().totalBytes;
    metrics.reading('gauge', 'apiserver_storage_size_bytes', 'Bytes that the store takes.', labels, read);
  }
  metrics.samples('gauge', 'apiserver_storage_objects', 'Objects in the store, by resource.', () =>
    objectCounts(stores, ({ group, resource }) => ({ resource: nameOf(group, resource) })),
  );
  metrics.samples('gauge', 'apiserver_resource_objects', 'Objects in the store, by group and resource.', () =>
    objectCounts(stores, (resource) => resource),
  );
  observability?.describeProcess?.(metrics);
}

/** Metrics of the watch caches. */
function describeCaches(metrics: Metrics, stores: StoreRegistry): void {
  const perCache = (
    type: 'counter' | 'gauge',
    name: string,
    help: string,
    read: (cache: GenericStore['cache']) => number,
  ) =>
    metrics.samples(type, name, help, function* () {
      for (const { main } of stores.all()) {
        const { group, resource } = main.resource;
        if (main.cache.isReady) yield { labels: { group, resource }, value: read(main.cache) };
      }
    });
  const received = 'Events that the store has sent, by resource.';
  perCache('counter', 'apiserver_storage_events_received_total', received, (cache) => cache.eventsReceived);
  perCache(
    'counter',
    'apiserver_watch_cache_events_received_total',
    received,
    (cache) => cache.eventsReceived,
  );
  perCache(
    'gauge',
    'apiserver_watch_cache_resource_version',
    'How far a watch cache is.',
    (cache) => cache.revision,
  );
  perCache(
    'counter',
    'apiserver_watch_cache_initializations_total',
    'How often a watch cache was filled.',
    () => 1,
  );
}

type NamedResource = Readonly<Record<'group' | 'resource', string>>;

function* objectCounts(
  stores: StoreRegistry,
  labelsOf: (resource: NamedResource) => Readonly<Record<string, string>>,
): Generator<Sample> {
  for (const { main } of stores.all()) {
    const { group, resource } = main.resource;
    yield { labels: labelsOf({ group, resource }), value: main.cache.size };
  }
}

const nameOf = (group: string, resource: string): string =>
  group === '' ? resource : `${resource}.${group}`;
