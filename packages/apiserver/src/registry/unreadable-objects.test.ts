/** Values in the store that cannot be read, from another program or encrypted with a wrong key. */
import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { MemoryStorage, type Storage } from '@coxswain/storage';
import { encrypted } from '@coxswain/storage/encryption/encrypted-storage.ts';
import { identity } from '@coxswain/storage/encryption/transformer.ts';
import { expect, test } from 'vitest';
import type { Authorizer } from '../authorization/authorizer.ts';
import { configMap, configMaps } from '../testing/config-map.ts';
import { inMemoryApi, type InMemoryApi } from '../testing/in-memory-api.ts';

const keyOf = (name: string): string => `/registry/configmaps/default/${name}`;

const unreadable = {
  words: 'garbage',
  'a cut object': '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"bad","namesp',
  'another shape': '{"kind":"ConfigMap","apiVersion":"v1","metadata":5}',
  'cut protobuf': 'k8s\0\xff\xff\xff',
};

const put = (storage: Storage, name: string, value: string) =>
  storage.update(keyOf(name), () => ({ kind: 'put', value: Buffer.from(value, 'latin1') }));

async function apiWith(values: readonly string[], options: Partial<Parameters<typeof inMemoryApi>[0]> = {}) {
  const storage = new MemoryStorage();
  const api = inMemoryApi({ resources: [{ kind: ConfigMap }], storage, ...options });
  await api.request('POST', configMaps, {
    ...configMap('good'),
    metadata: { name: 'good', labels: { a: 'b' } },
  });
  // An index exists before the unreadable objects, which have no place in it.
  expect((await api.request('GET', `${configMaps}?labelSelector=a%3Db`)).status).toBe(200);
  for (const [index, value] of values.entries()) await put(storage, `bad-${index}`, value);
  return { request: api.request, remove: removing(api) };
}

const removing =
  ({ request }: InMemoryApi) =>
  (name: string, options: object = {}) =>
    request('DELETE', `${configMaps}/${name}`, {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      ignoreStoreReadErrorWithClusterBreakingPotential: true,
      ...options,
    });

test.each(Object.entries(unreadable))(
  'an object of %s is named, and the others are served',
  async (_, value) => {
    const { request } = await apiWith([value]);

    for (const path of [`${configMaps}/bad-0`, `${configMaps}?labelSelector=a%3Db`]) {
      expect((await request('GET', path)).json).toMatchObject({
        code: 500,
        message: expect.stringContaining(`corrupt object, Code: 7, Key: ${keyOf('bad-0')}`),
      });
    }
    expect((await request('GET', configMaps)).json).toMatchObject({
      code: 500,
      reason: 'StorageReadError',
      message: 'failed to read one or more configmaps from the storage',
      details: { name: 'list', kind: 'configmaps', causes: [{ field: keyOf('bad-0') }] },
    });
    expect((await request('GET', `${configMaps}/good`)).status).toBe(200);
    expect((await request('PUT', `${configMaps}/good`, configMap('good', { a: 'b' }))).status).toBe(200);
    expect((await request('DELETE', `${configMaps}/bad-0`)).status).toBe(500);
  },
);

test('a list names all objects that it cannot read', async () => {
  const { request } = await apiWith(Object.values(unreadable));

  const { details } = (await request('GET', configMaps)).json;

  expect(details.causes.map(({ field }: { field: string }) => field)).toEqual(
    [0, 1, 2, 3].map((at) => keyOf(`bad-${at}`)),
  );
});

test('an unreadable object can be deleted on request, a readable one cannot', async () => {
  const { request, remove } = await apiWith(Object.values(unreadable), { allowsUnsafeDeletion: true });

  expect((await remove('good')).json).toMatchObject({
    code: 422,
    message: expect.stringContaining('is exclusively used to delete corrupt object(s)'),
  });
  expect((await remove('none')).status).toBe(422);
  expect((await remove('bad-0', { gracePeriodSeconds: 0, dryRun: ['All'] })).json.message).toContain(
    'cannot be set together with .dryRun',
  );
  for (const at of [0, 1, 2, 3])
    expect((await remove(`bad-${at}`)).json).toMatchObject({
      status: 'Success',
      details: { name: `bad-${at}`, kind: 'ConfigMap' },
      code: 200,
    });
  const { items } = (await request('GET', configMaps)).json;
  expect(items).toHaveLength(1);
});

test('a collection cannot be deleted this way', async () => {
  const { request } = await apiWith(['garbage'], { allowsUnsafeDeletion: true });

  const { json } = await request(
    'DELETE',
    `${configMaps}?ignoreStoreReadErrorWithClusterBreakingPotential=true`,
  );

  expect(json).toMatchObject({
    code: 422,
    message: expect.stringContaining('not allowed with DELETECOLLECTION'),
  });
});

test('without the feature the option is ignored', async () => {
  const { remove } = await apiWith(['garbage']);

  expect((await remove('bad-0')).status).toBe(500);
  expect((await remove('good', { gracePeriodSeconds: 0 })).status).toBe(200);
});

test('it requires a permission of its own', async () => {
  const authorizer: Authorizer = {
    name: 'test',
    decide: ({ verb }) => ({
      kind: verb === 'unsafe-delete-ignore-read-errors' ? 'no-opinion' : 'allow',
      reason: 'no rule',
    }),
  };
  const { remove } = await apiWith(['garbage'], { authorizer, allowsUnsafeDeletion: true });

  expect((await remove('bad-0')).json).toMatchObject({
    code: 403,
    message:
      'configmaps "bad-0" is forbidden: not permitted to do "unsafe-delete-ignore-read-errors", reason: no rule',
  });
});

test('an object that no key decrypts can be deleted, too', async () => {
  const stored = new MemoryStorage();
  const transformer = {
    ...identity,
    fromStorage(value: Uint8Array, context: Uint8Array) {
      if (Buffer.from(value).toString() === 'sealed') throw new Error('no matching key was found');
      return identity.fromStorage(value, context);
    },
  };
  const storage = encrypted(stored, { transformer: () => transformer });
  await put(stored, 'bad-0', 'sealed');
  const api = inMemoryApi({ resources: [{ kind: ConfigMap }], storage, allowsUnsafeDeletion: true });

  expect((await api.request('GET', `${configMaps}/bad-0`)).status).toBe(500);
  expect((await removing(api)('bad-0')).status).toBe(200);
  expect((await api.request('GET', configMaps)).json).toMatchObject({ kind: 'ConfigMapList' });
});
