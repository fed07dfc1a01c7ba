/** The state that all parts of a server read: created first, and filled while the server is assembled. */
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
  /** Reads objects from the stores. */
  readonly objects: ObjectReader;
  readonly loopback: Loopback;
  readonly metrics: Metrics;
  readonly openWatches: OpenWatches;
  readonly inFlight: RequestCounter;
  /** The storage below all stores, until the server has stopped. */
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
