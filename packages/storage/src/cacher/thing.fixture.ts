/** A small kind for the tests of the cache. */
import type { Storage } from '../storage.ts';
import type { CachedObject } from './cached-object.ts';
import type { ObjectCodec } from './object-codec.ts';
import type { Watcher } from './watcher.ts';

export interface Thing {
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly node?: string;
  readonly resourceVersion?: string;
}

export interface CountingCodec extends ObjectCodec<Thing> {
  decodings: number;
}

export function thingCodec(): CountingCodec {
  const parse = (value: Uint8Array): Thing => JSON.parse(new TextDecoder().decode(value));
  const codec: CountingCodec = {
    decodings: 0,
    served(entry) {
      const text = new TextDecoder().decode(entry.value).replace(/"resourceVersion":"\d+",/, '');
      return new TextEncoder().encode(text.replace('{', `{"resourceVersion":"${entry.modRevision}",`));
    },
    decode(entry) {
      codec.decodings++;
      const thing = (entry.decoded as Thing | undefined) ?? parse(entry.value);
      return { ...thing, resourceVersion: String(entry.modRevision) };
    },
    labels: (thing) => thing.labels ?? {},
    fields: (thing) => ({ node: thing.node ?? '' }),
  };
  return codec;
}

export const directory = '/registry/things/';

/** Writes directly to the store, as another server would. */
export const write = (storage: Storage, key: string, thing: Thing) =>
  storage.update(directory + key, () => ({
    kind: 'put',
    value: new TextEncoder().encode(JSON.stringify({ name: key, ...thing })),
  }));

export const erase = (storage: Storage, key: string) =>
  storage.update(directory + key, () => ({ kind: 'delete' }));

export const keysOf = (objects: readonly CachedObject<Thing>[]): string[] =>
  objects.map(({ key }) => key.slice(directory.length));

export const labelled = (name: string, value: string) => (object: CachedObject<Thing>) =>
  object.labels[name] === value;

/** The available events as `TYPE key`, after those of this turn have arrived. */
export async function seen(watcher: Watcher<Thing>): Promise<string[]> {
  for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => void setImmediate(resolve));
  const events: string[] = [];
  for (let ready = watcher.take(); ready.length > 0; ready = watcher.take()) {
    for (const event of ready) {
      events.push(
        event.type === 'BOOKMARK'
          ? `BOOKMARK ${event.revision}${event.initialEventsEnd ? ' initial' : ''}`
          : `${event.type} ${event.object.key.slice(directory.length)}`,
      );
    }
  }
  return events;
}
