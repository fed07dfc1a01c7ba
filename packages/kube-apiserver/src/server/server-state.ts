/** What all parts of a server read: it is there first, and fills while the server is put together. */
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { OpenWatches } from '@coxswain/apiserver/lifecycle/open-watches.ts';
import { RequestCounter } from '@coxswain/apiserver/lifecycle/request-counter.ts';
import type { ObjectReader } from '../object-reader.ts';
import { StoreRegistry } from '../groups/store-registry.ts';
import { storedObjects } from '../stored-objects.ts';
import type { CompletedOptions } from './completed-options.ts';
import { Loopback } from '../loopback.ts';

export interface ServerState {
  readonly stores: StoreRegistry;
  /** What is in them. */
  readonly objects: ObjectReader;
  readonly loopback: Loopback;
  readonly metrics: Metrics;
  readonly openWatches: OpenWatches;
  readonly inFlight: RequestCounter;
  /** The storage below all of them, until the server has stopped. */
  readonly storage: { isOpen: boolean };
}

export function serverState(options: CompletedOptions): ServerState {
  const stores = new StoreRegistry();
  const metrics = options.metrics ?? new Metrics({ settings: options.observability?.metrics });
  options.serviceAccounts?.countInto?.(metrics);
  return {
    stores,
    objects: storedObjects(stores),
    loopback: new Loopback(),
    metrics,
    openWatches: new OpenWatches(),
    inFlight: new RequestCounter(),
    storage: { isOpen: true },
  };
}
