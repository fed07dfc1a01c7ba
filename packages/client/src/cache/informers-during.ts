/** Shared informers for a component that may be stopped before the informers are. */

import type { KubeObject } from '@coxswain/apimachinery';
import type { EventHandler, Informer } from './informer.ts';
import type { InformerFactory } from './informer-factory.ts';

/** Returns the same informers, except that handlers added through them are removed when `signal` is aborted. */
export const informersDuring = (factory: InformerFactory, signal: AbortSignal): InformerFactory =>
  replacing(factory, {
    informer: (...args: Parameters<InformerFactory['informer']>) => during(factory.informer(...args), signal),
    metadataInformer: (...args: Parameters<InformerFactory['metadataInformer']>) =>
      during(factory.metadataInformer(...args), signal),
    // They run for as long as their owner wants.
    start: () => undefined,
    stopped: () => Promise.resolve(),
  });

const during = (informer: Informer<KubeObject>, signal: AbortSignal): Informer<KubeObject> =>
  replacing(informer, {
    addHandler(handler: EventHandler<KubeObject>) {
      const remove = informer.addHandler(handler);
      signal.addEventListener('abort', remove, { once: true });
      if (signal.aborted) remove();
      return remove;
    },
  });

/** Returns a proxy for the object that replaces these members. */
function replacing<T extends object>(object: T, members: Readonly<Record<string, unknown>>): T {
  return new Proxy(object, {
    get(target, key) {
      if (typeof key === 'string' && Object.hasOwn(members, key)) return members[key];
      // Uses the object itself as receiver, since it has private members.
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
