import { expect, test } from 'vitest';
import { ManualClock, seededRandom } from '@coxswain/apimachinery';
import { createClient } from '@coxswain/client';
import { PodServer } from '../../test/pod-server.ts';
import { ApiSources } from './api-sources.ts';

/** Each response of the API is different. */
function sources(strategy: string) {
  const clock = new ManualClock(0);
  const server = new PodServer();
  for (const n of ['1', '2', '3'])
    server.answers.push({
      status: 200,
      object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { n } },
    });
  const client = createClient({ clock, transport: server });
  const made = new ApiSources({
    strategy,
    client,
    clock,
    random: seededRandom(1),
    signal: new AbortController().signal,
    onError: () => undefined,
  });
  return { clock, read: async () => (await made.configMap('shop', 'c', 'pod-1')).data?.['n'] };
}

test('with Get each look asks; with Cache an answer is good for a minute', async () => {
  const get = sources('Get');
  expect([await get.read(), await get.read()]).toEqual(['1', '2']);
  const cache = sources('Cache');
  expect([await cache.read(), await cache.read()]).toEqual(['1', '1']);
  await cache.clock.advance(60_000);
  expect(await cache.read()).toBe('2');
});

test('an unknown strategy is refused', () => {
  expect(() => sources('Guess')).toThrow('unknown configmap and secret manager mode: Guess');
});
