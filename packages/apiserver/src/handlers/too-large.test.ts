import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { MemoryStorage } from '@coxswain/storage';
import { beforeEach, describe, expect, test } from 'vitest';
import { configMap, configMaps } from '../testing/config-map.ts';
import { inMemoryApi, type InMemoryApi } from '../testing/in-memory-api.ts';

const valueBytesMax = 64 * 1024;
/** The keys appear in `managedFields` as well, which makes the object too large. */
const manyKeys = Object.fromEntries(
  Array.from({ length: 1_300 }, (_, at) => [`key-number-${at}-padded`, 'v']),
);
const largeValue = { key: 'x'.repeat(valueBytesMax) };
const small = { key: 'v' };

let request: InMemoryApi['request'];
const sent = (method: string, type: string) => (data: Record<string, string>) =>
  request(
    method,
    method === 'POST' ? configMaps : `${configMaps}/one?fieldManager=test`,
    configMap('one', data),
    {
      'content-type': type,
    },
  );
const create = sent('POST', 'application/json');
const apply = sent('PATCH', 'application/apply-patch+yaml');
const writes = {
  'an update': sent('PUT', 'application/json'),
  'a merge patch': sent('PATCH', 'application/merge-patch+json'),
  'a strategic merge patch': sent('PATCH', 'application/strategic-merge-patch+json'),
};

beforeEach(() => {
  ({ request } = inMemoryApi({
    resources: [{ kind: ConfigMap }],
    storage: new MemoryStorage({ valueBytesMax }),
  }));
});

const stored = async () => (await request('GET', `${configMaps}/one`)).json;
const refusal = { message: 'etcdserver: request is too large', code: 500, status: 'Failure' };

describe('an object that is too large only with its managedFields is stored without them', () => {
  test('by a create', async () => {
    expect((await create(manyKeys)).status).toBe(201);
    expect(await stored()).toMatchObject({ data: manyKeys, metadata: { name: 'one' } });
    expect(await stored()).not.toHaveProperty('metadata.managedFields');
  });

  test.each(Object.entries(writes))('by %s', async (_, write) => {
    await create(small);
    expect(await stored()).toHaveProperty('metadata.managedFields');

    expect((await write(manyKeys)).status).toBe(200);

    expect((await stored()).data).toMatchObject(manyKeys);
    expect(await stored()).not.toHaveProperty('metadata.managedFields');
  });

  test('but not by an apply, which would forget what it owns', async () => {
    const answer = await apply(manyKeys);
    expect(answer.json).toMatchObject(refusal);
    expect(answer.json).not.toHaveProperty('reason');
    expect((await request('GET', `${configMaps}/one`)).status).toBe(404);
  });
});

test.each(Object.entries({ 'a create': create, ...writes, 'an apply': apply }))(
  'an object that is too large by itself is refused to %s',
  async (_, write) => {
    if (write !== create && write !== apply) await create(small);
    const answer = await write(largeValue);
    expect(answer.json).toMatchObject(refusal);
    expect(answer.json).not.toHaveProperty('reason');
  },
);
