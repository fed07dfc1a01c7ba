import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { expect, test } from 'vitest';
import { configMap, configMaps } from '../testing/config-map.ts';
import { inMemoryApi } from '../testing/in-memory-api.ts';

/** If the work of a list grew with the square of this, the test would take minutes. */
const count = 200_000;
const all = (term: string): string =>
  Array.from({ length: count }, (_, at) => term.replace('KEY', `key-${at}`)).join(',');

test.each([
  ['labelSelector', all('KEY!=v')],
  ['labelSelector', all('!KEY')],
  ['labelSelector', `key notin (${all('KEY')})`],
  ['fieldSelector', all('metadata.name!=KEY')],
])('a list with a long %s costs no more than its length', async (parameter, selector) => {
  const api = inMemoryApi({ resources: [{ kind: ConfigMap }] });
  await api.request('POST', configMaps, configMap('a'));

  const { json } = await api.request('GET', `${configMaps}?${parameter}=${encodeURIComponent(selector)}`);
  expect(json).toMatchObject({ items: [{ metadata: { name: 'a' } }] });
});
