/** Shared informers for somebody who may be stopped before they are. */

import type { KubeObject } from '@coxswain/apimachinery';
import type { EventHandler, Informer } from './informer.ts';
import type { InformerFactory } from './informer-factory.ts';

/** The same informers; whoever gets them here hears of nothing any more when `signal` has been aborted. */
export const informersDuring = (factory: InformerFactory, signal: AbortSignal): InformerFactory =>
  replacing(factory, {
    informer: (...args: Parameters<InformerFactory['informer']>) => during(factory.informer(...args), signal),
    metadataInformer: (...args: Parameters<InformerFactory['metadataInformer']>) =>
      during(factory.metadataInformer(...args), signal),
    // They run as long as whoever made them wants.
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

/** The object itself, but for these members. */
function replacing<T extends object>(object: T, members: Readonly<Record<string, unknown>>): T {
  return new Proxy(object, {
    get(target, key) {
      if (typeof key === 'string' && Object.hasOwn(members, key)) return members[key];
      // With the object itself as receiver: it has private members.
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
