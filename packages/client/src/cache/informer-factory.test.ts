import { expect, test } from 'vitest';
import { InformerFactory } from './informer-factory.ts';
import { createClient } from '../resource/kube-client.ts';
import type { Transport, TransportResponse } from '../transport.ts';

const resource = (name: string) => ({ group: '', version: 'v1', resource: name });

/** A server whose lists are answered when the test says so, by resource. */
function server() {
  const lists = new Map<string, PromiseWithResolvers<TransportResponse>>();
  const listOf = (name: string) => {
    if (!lists.has(name)) lists.set(name, Promise.withResolvers());
    return lists.get(name)!;
  };
  const answer = {
    status: 200,
    headers: {},
    stream: async function* () {},
    bytes: async () => new Uint8Array(),
  };
  const transport: Transport = {
    structured: true,
    address: 'in-process:',
    close: () => Promise.resolve(),
    send: ({ path }) =>
      path.includes('watch=') ? new Promise(() => {}) : listOf(/v1\/(\w+)/.exec(path)![1]!).promise,
  };
  const list = (name: string) =>
    listOf(name).resolve({ ...answer, object: { metadata: { resourceVersion: '1' }, items: [] } });
  return { transport, list };
}

test('a factory is synced when those informers are that were requested until then', async () => {
  const { transport, list } = server();
  const stopping = new AbortController();
  const informers = new InformerFactory({ client: createClient({ transport }) });
  const order: string[] = [];
  const note = (what: string) => informers.synced().then(() => order.push(what));
  informers.start(stopping.signal);

  informers.informer(resource('pods'));
  const first = note('pods');
  informers.informer(resource('secrets'));
  const both = note('pods and secrets');
  const again = note('both again');
  list('pods');
  await first;
  expect(order).toEqual(['pods']);
  list('secrets');
  await Promise.all([both, again]);

  expect(order).toEqual(['pods', 'pods and secrets', 'both again']);
  await informers.synced();
  stopping.abort();
});
