import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { ManualClock, type KubeObject } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { configMap, configMaps } from './testing/config-map.ts';
import { inMemoryApi, type InMemoryApiOptions } from './testing/in-memory-api.ts';

const api = (options: Partial<InMemoryApiOptions> = {}) =>
  inMemoryApi({ resources: [{ kind: ConfigMap }], ...options });

test('a created object is returned with the fields that the server sets', async () => {
  const { request } = api({ clock: new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5)) });

  const created = await request('POST', configMaps, configMap('a', { k: 'v' }));

  expect(created.status).toBe(201);
  expect(created.json.metadata).toMatchObject({
    name: 'a',
    namespace: 'default',
    creationTimestamp: '2026-01-02T03:04:05Z',
  });
  expect((await request('GET', `${configMaps}/a`)).body).toBe(created.body);
});

test('a stale resourceVersion is refused with 409 Conflict', async () => {
  const { request } = api();
  const first = (await request('POST', configMaps, configMap('a'))).json;
  await request('PUT', `${configMaps}/a`, { ...first, data: { x: '1' } });

  const answer = await request('PUT', `${configMaps}/a`, { ...first, data: { x: '2' } });

  expect(answer.status).toBe(409);
  expect(answer.json.reason).toBe('Conflict');
});

test('an update that changes nothing keeps the resourceVersion', async () => {
  const { request } = api();
  const first = (await request('POST', configMaps, configMap('a', { k: 'v' }))).json;

  const again = await request('PUT', `${configMaps}/a`, configMap('a', { k: 'v' }));

  expect(again.json.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
});

test('of concurrent updates with the same resourceVersion one succeeds', async () => {
  const { request } = api();
  const first = (await request('POST', configMaps, configMap('a'))).json;

  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      request('PUT', `${configMaps}/a`, { ...first, data: { x: String(at) } }),
    ),
  );

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
});

test('concurrent patches are applied one after the other, and none is lost', async () => {
  const { request } = api();
  await request('POST', configMaps, configMap('a'));

  await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      request(
        'PATCH',
        `${configMaps}/a`,
        { data: { [`k${at}`]: 'x' } },
        { 'content-type': 'application/merge-patch+json' },
      ),
    ),
  );

  expect(Object.keys((await request('GET', `${configMaps}/a`)).json.data)).toHaveLength(8);
});

test('a dry run responds normally and stores nothing', async () => {
  const { request } = api();

  expect((await request('POST', `${configMaps}?dryRun=All`, configMap('a'))).status).toBe(201);

  expect((await request('GET', `${configMaps}/a`)).status).toBe(404);
});

test('generateName makes different names', async () => {
  const { request } = api();
  const make = async () =>
    (await request('POST', configMaps, { metadata: { generateName: 'a-' } })).json.metadata.name as string;

  const names = await Promise.all([make(), make(), make()]);

  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(name).toMatch(/^a-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
});

test('an object with finalizers is removed with the last one', async () => {
  const { request } = api();
  await request('POST', configMaps, { metadata: { name: 'a', finalizers: ['example.com/x'] } });

  const deleted = await request('DELETE', `${configMaps}/a`);
  expect(deleted.json.metadata).toMatchObject({
    deletionGracePeriodSeconds: 0,
    finalizers: ['example.com/x'],
  });
  const taken = await request('POST', configMaps, configMap('a'));
  expect(taken.json.message).toBe('object is being deleted: configmaps "a" already exists');
  await request(
    'PATCH',
    `${configMaps}/a`,
    { metadata: { finalizers: null } },
    { 'content-type': 'application/merge-patch+json' },
  );

  expect((await request('GET', `${configMaps}/a`)).status).toBe(404);
});

test.each([
  ['Orphan', 'orphan'],
  ['Foreground', 'foregroundDeletion'],
])('propagationPolicy=%s leaves the object to garbage collection', async (policy, finalizer) => {
  const { request } = api();
  await request('POST', configMaps, configMap('a'));

  await request('DELETE', `${configMaps}/a`, { propagationPolicy: policy });

  expect((await request('GET', `${configMaps}/a`)).json.metadata.finalizers).toEqual([finalizer]);
});

test('a deletion with the wrong uid or resourceVersion is refused', async () => {
  const { request } = api();
  await request('POST', configMaps, configMap('a'));

  for (const preconditions of [{ uid: 'other' }, { resourceVersion: '999' }]) {
    expect((await request('DELETE', `${configMaps}/a`, { preconditions })).status).toBe(409);
  }
  expect((await request('GET', `${configMaps}/a`)).status).toBe(200);
});

test('a grace period can only be shortened', async () => {
  const clock = new ManualClock();
  const { request } = api({
    clock,
    resources: [
      {
        kind: ConfigMap,
        strategy: { gracePeriodSeconds: (_object, options) => options.gracePeriodSeconds ?? 30 },
      },
    ],
  });
  await request('POST', configMaps, configMap('a'));
  const graceOf = async () =>
    (await request('GET', `${configMaps}/a`)).json.metadata.deletionGracePeriodSeconds as number;

  await request('DELETE', `${configMaps}/a`);
  expect(await graceOf()).toBe(30);
  await request('DELETE', `${configMaps}/a?gracePeriodSeconds=60`);
  expect(await graceOf()).toBe(30);
  await request('DELETE', `${configMaps}/a?gracePeriodSeconds=5`);
  expect(await graceOf()).toBe(5);
  await request('DELETE', `${configMaps}/a?gracePeriodSeconds=0`);

  expect((await request('GET', `${configMaps}/a`)).status).toBe(404);
});

test('a collection is deleted by label, and the deleted objects are returned', async () => {
  const { request } = api();
  for (const name of ['a', 'b', 'c']) {
    await request('POST', configMaps, { metadata: { name, labels: { keep: String(name === 'b') } } });
  }

  const deleted = await request('DELETE', `${configMaps}?labelSelector=keep%3Dfalse`);

  expect(deleted.json.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual([
    'a',
    'c',
  ]);
  expect((await request('GET', configMaps)).json.items).toHaveLength(1);
});

const label = (name: string) => ({
  name,
  handles: () => true,
  mutate: (attributes: { object: { metadata: { labels?: Record<string, string> } } | undefined }) => {
    const { metadata } = attributes.object!;
    metadata.labels = { ...metadata.labels, last: name };
  },
});

test('admission plugins change objects in order and may refuse them', async () => {
  const { request } = api({ plugins: [label('one'), label('two')] });

  const created = await request('POST', configMaps, configMap('a'));

  expect(created.json.metadata.labels).toEqual({ last: 'two' });
});

test('delete options in YAML may contain any number', async () => {
  const { request } = api();
  await request('POST', configMaps, configMap('a'));

  const headers = { 'content-type': 'application/yaml' };
  const answer = await request('DELETE', `${configMaps}/a`, 'unknown: 1000000000000000001\n', headers);

  expect(answer.status).toBe(200);
});

test('decorated objects appear in responses, lists and watches', async () => {
  const old = { data: { old: 'yes' } };
  const shown = { data: { old: 'shown' } };
  const decorate = (object: KubeObject): KubeObject =>
    (object as KubeObject & typeof old).data?.old === 'yes' ? { ...object, ...shown } : object;
  const { request, watchLines, storage } = api({ resources: [{ kind: ConfigMap, strategy: { decorate } }] });
  await request('POST', configMaps, configMap('new', { k: 'v' }));
  const created = await request('POST', configMaps, configMap('old', old.data));

  const stored = await storage.get('/registry/configmaps/default/old');
  expect(new TextDecoder().decode(stored!.value)).toContain('"yes"');
  expect(created.json.data).toEqual(shown.data);
  expect((await request('GET', `${configMaps}/old`)).json.data).toEqual({ old: 'shown' });
  const { items } = (await request('GET', configMaps)).json;
  expect(items.map(({ data }: { data: object }) => data)).toEqual([{ k: 'v' }, { old: 'shown' }]);
  const lines = await watchLines(`${configMaps}?watch=true`, 2);
  expect(lines).toMatchObject([{ object: { data: { k: 'v' } } }, { object: { data: { old: 'shown' } } }]);
});
