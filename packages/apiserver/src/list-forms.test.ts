import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { ManualClock } from '@coxswain/apimachinery';
import { decodeEnvelope, decodeProtobuf, encode } from '@coxswain/schema';
import { expect, test } from 'vitest';
import { inProcessTransport } from './http/in-process.ts';
import { configMap, configMaps } from './testing/config-map.ts';
import { inMemoryApi } from './testing/in-memory-api.ts';

const asTable = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

test('ages in a table go on while the rows are kept', async () => {
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

test('a list in protobuf holds what the list in JSON holds, each time it is asked for', async () => {
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
