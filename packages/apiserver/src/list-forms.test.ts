import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { FlowSchema } from '@coxswain/api/flowcontrol/v1/flow-schema.ts';
import { ManualClock, type KubeObject } from '@coxswain/apimachinery';
import { decodeEnvelope, decodeProtobuf, encode } from '@coxswain/schema';
import { expect, test } from 'vitest';
import { inProcessTransport } from './http/in-process.ts';
import { configMap, configMaps } from './testing/config-map.ts';
import { inMemoryApi } from './testing/in-memory-api.ts';

const asTable = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

test('ages in a table advance while the rows are cached', async () => {
  const clock = new ManualClock();
  const { request } = inMemoryApi({ resources: [{ kind: ConfigMap }], clock });
  await request('POST', configMaps, configMap('a', { key: 'value' }));
  const age = async () => (await request('GET', configMaps, undefined, asTable)).json.rows[0].cells[2];

  const ages: string[] = [];
  for (const seconds of [0, 1, 58, 600, 60 * 60]) {
    await clock.advance(seconds * 1000);
    ages.push(await age(), await age());
  }

  expect(ages).toEqual(['0s', '0s', '1s', '1s', '59s', '59s', '10m', '10m', '70m', '70m']);
});

test('a changed object shows its new row', async () => {
  const { request } = inMemoryApi({ resources: [{ kind: ConfigMap }] });
  const cells = async () => (await request('GET', configMaps, undefined, asTable)).json.rows[0].cells[1];
  await request('POST', configMaps, configMap('a', { key: 'value' }));
  expect(await cells()).toBe(1);

  await request('PUT', `${configMaps}/a`, configMap('a', { key: 'value', other: 'value' }));

  expect(await cells()).toBe(2);
});

test('rows of flow schemas are in matching order, the list is by name', async () => {
  const { request } = inMemoryApi({ resources: [{ kind: FlowSchema }] });
  const schemas = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
  for (const [name, matchingPrecedence] of [
    ['a', 900],
    ['b', 50],
    ['c', 900],
    ['d', 2],
  ] as const) {
    const spec = { priorityLevelConfiguration: { name: 'exempt' }, matchingPrecedence };
    await request('POST', schemas, { metadata: { name }, spec });
  }
  const rows = async (query: string) =>
    (await request('GET', `${schemas}${query}`, undefined, asTable)).json.rows.map(
      ({ cells }: { cells: unknown[] }) => cells[0],
    );

  const { json } = await request('GET', schemas);

  expect(json.items.map(({ metadata }: KubeObject) => metadata.name)).toEqual(['a', 'b', 'c', 'd']);
  expect(await rows('')).toEqual(['d', 'b', 'a', 'c']);
  expect(await rows('?limit=3')).toEqual(['b', 'a', 'c']);
});

test('a list in protobuf equals the list in JSON, at each request', async () => {
  const { request, chain } = inMemoryApi({ resources: [{ kind: ConfigMap }] });
  const transport = inProcessTransport({ serve: (incoming) => chain.serve(incoming), structured: false });
  for (const name of ['a', 'b', 'c']) {
    await request('POST', configMaps, configMap(name, { key: name.repeat(200) }));
  }
  const { json } = await request('GET', configMaps);
  const headers = { accept: 'application/vnd.kubernetes.protobuf' };

  for (let time = 0; time < 2; time++) {
    const response = await transport.send({ method: 'GET', path: configMaps, headers });
    const list = decodeProtobuf(ConfigMap.listType, decodeEnvelope(await response.bytes()));
    expect(JSON.parse(encode(ConfigMap.listType, list as object))).toEqual(json);
  }
});
