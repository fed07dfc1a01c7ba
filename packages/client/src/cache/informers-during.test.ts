import { expect, test } from 'vitest';
import type { KubeObject, WatchEvent } from '@coxswain/apimachinery';
import { InformerFactory } from './informer-factory.ts';
import { informersDuring } from './informers-during.ts';
import { createClient } from '../resource/kube-client.ts';
import type { Transport } from '../transport.ts';

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const map = (name: string, resourceVersion: string): KubeObject => ({ metadata: { name, resourceVersion } });

/** A server with one object, which sends the events that the test requests. */
function server() {
  const waiting: ((events: readonly WatchEvent<KubeObject>[]) => void)[] = [];
  const transport: Transport = {
    structured: true,
    address: 'in-process:',
    close: () => Promise.resolve(),
    send: ({ path }) => {
      const empty = { status: 200, headers: {}, bytes: () => Promise.resolve(new Uint8Array()) };
      const stream = async function* () {};
      if (!path.includes('watch='))
        return Promise.resolve({
          ...empty,
          stream,
          object: { metadata: { resourceVersion: '1' }, items: [map('a', '1')] },
        });
      const events = (async function* () {
        for (;;)
          yield await new Promise<readonly WatchEvent<KubeObject>[]>((resolve) => waiting.push(resolve));
      })();
      return Promise.resolve({ ...empty, stream, events });
    },
  };
  const report = async (object: KubeObject) => {
    while (waiting.length === 0) await Promise.resolve();
    waiting.shift()!([{ type: 'ADDED', object }]);
  };
  return { transport, report };
}

test('a stopped component is no longer notified, and others continue', async () => {
  const { transport, report } = server();
  const stopping = new AbortController();
  const shared = new InformerFactory({ client: createClient({ transport }) });
  const heard: string[] = [];
  const listen = (who: string, factory: InformerFactory) =>
    factory
      .informer(configMaps)
      .addHandler({ added: ({ metadata }) => heard.push(`${who} ${metadata.name}`) });
  const one = new AbortController();
  listen('one', informersDuring(shared, one.signal));
  listen('other', informersDuring(shared, stopping.signal));
  shared.start(stopping.signal);
  await shared.synced();
  one.abort();

  await report(map('b', '2'));
  await shared.informer(configMaps).reached(2);

  expect(heard).toEqual(['one a', 'other a', 'other b']);
  stopping.abort();
});
