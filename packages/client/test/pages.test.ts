/** Lists that are read page by page, also when their revision is compacted in the meantime. */
import { createClient, type TransportResponse } from '@coxswain/client';
import { createCluster, type TestCluster } from 'coxswain/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

let cluster: TestCluster;
const names = Array.from({ length: 7 }, (_, index) => `map-${index}`);

beforeAll(async () => {
  cluster = await createCluster({ controllers: false, nodes: 0 });
  for (const name of names) await maps().create({ metadata: { name } });
});
beforeEach(() => cluster.faults.clear());
afterAll(() => cluster.stop());

const maps = () => cluster.client.resource('v1', 'configmaps').namespace('default');

test('all objects come, whatever the size of a page', async () => {
  for (const limit of [1, 2, 3, 100]) {
    const read: string[] = [];
    for await (const { metadata } of maps().items({ limit })) read.push(metadata.name ?? '');
    expect(read).toEqual(names);
  }
});

test('pages are asked for when they are needed', async () => {
  cluster.requests.clear();
  for await (const _ of maps().items({ limit: 2 })) break;

  expect(cluster.requests({ verb: 'list', resource: 'configmaps' })).toHaveLength(1);
});

test('a list whose revision is compacted continues where it stopped, without duplicates', async () => {
  const read: string[] = [];
  for await (const { metadata } of forgetful().items({ limit: 3 })) read.push(metadata.name ?? '');

  expect(read).toEqual(names);
});

test('a list whose state is gone ends with 410 where that is asked for', async () => {
  const reading = forgetful().items({ limit: 3, whenExpired: 'fail' });
  for (let index = 0; index < 3; index++) await reading.next();

  await expect(reading.next()).rejects.toMatchObject({ code: 410, reason: 'Expired' });
});

test('a whole list starts over when its revision is compacted, and has a single revision', async () => {
  cluster.faults.add({ verb: 'list', resource: 'configmaps', action: 'error', code: 410, times: 2 });
  const { items, metadata } = await maps().all({ limit: 3 });

  expect(items.map((item) => item.metadata.name)).toEqual(names);
  expect(metadata).toEqual({ resourceVersion: expect.stringMatching(/^\d+$/) });
});

test('a whole list whose state is gone again and again is asked for at once', async () => {
  cluster.faults.add({ verb: 'list', resource: 'configmaps', action: 'error', code: 410, times: 3 });
  cluster.requests.clear();
  const { items } = await maps().all({ limit: 3 });

  expect(items).toHaveLength(7);
  expect(cluster.requests({ verb: 'list', resource: 'configmaps' }).at(-1)?.query).not.toContain('limit');
});

/** The same objects on a server that compacts each revision after its first page, and responds like Kubernetes. */
function forgetful() {
  const { transport } = cluster;
  return createClient({
    transport: {
      structured: true,
      address: transport.address,
      close: async () => {},
      async send(request) {
        const token = new URL(request.path, 'http://x').searchParams.get('continue');
        const { rv, ...place } = JSON.parse(token === null ? '{"rv":-1}' : atob(token));
        if (rv === -1) return transport.send(request);
        return expiredAnswer(btoa(JSON.stringify({ ...place, rv: -1 })).replaceAll('=', ''));
      },
    },
  })
    .resource('v1', 'configmaps')
    .namespace('default');
}

const expiredAnswer = (next: string): TransportResponse => ({
  status: 410,
  headers: {},
  object: {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: { continue: next },
    status: 'Failure',
    reason: 'Expired',
    code: 410,
  },
  bytes: async () => new Uint8Array(),
  async *stream() {},
});
