import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { inMemoryApi } from '../testing/in-memory-api.ts';
import { flagz } from './flagz.ts';
import { statusz } from './statusz.ts';
import { installVerbosity } from './verbosity.ts';
import { installZPage } from './z-page.ts';

async function pages() {
  const clock = new ManualClock(Date.UTC(2026, 0, 2));
  const api = inMemoryApi({ resources: [], clock });
  const { plain } = api.server;
  const verbosity = { level: 0 };
  installZPage(
    plain,
    statusz({
      clock,
      startedAtMs: clock.now(),
      runtimeVersion: 'node26',
      binaryVersion: '1.36.3',
      emulationVersion: '1.36',
      listedPaths: () => ['/api', '/healthz', '/healthz/ping', '/metrics'],
    }),
  );
  installZPage(plain, flagz({ v: '2', 'secure-port': '6443' }));
  installVerbosity(plain, verbosity);
  await clock.advance(3_723_000);
  const get = (path: string, accept: string) => api.request('GET', path, undefined, { accept });
  return { api, get, verbosity };
}

test('statusz is text for people', async () => {
  const { get } = await pages();
  const { body } = await get('/statusz', '*/*');
  expect(body).toContain(
    'Started: Fri Jan  2 00:00:00 UTC 2026\nUp: 1 hr 02 min 03 sec\nGo version: node26\n',
  );
  expect(body).toContain('\nPaths: /healthz /metrics\n');
});

test('a client that names the kind gets an object', async () => {
  const { get } = await pages();
  const answer = await get('/flagz', 'application/json;as=Flagz;v=v1beta1;g=config.k8s.io');
  expect(answer.headers['content-type']).toBe('application/json;g=config.k8s.io;v=v1beta1;as=Flagz');
  expect(answer.json).toEqual({
    kind: 'Flagz',
    apiVersion: 'config.k8s.io/v1beta1',
    metadata: { name: 'apiserver' },
    flags: { 'secure-port': '6443', v: '2' },
  });
});

test.each(['application/json', 'text/html', 'application/json;as=Statusz;v=v1beta1;g=config.k8s.io'])(
  '%s is no form of flagz',
  async (accept) => {
    const { get } = await pages();
    expect(await get('/flagz', accept)).toMatchObject({
      status: 406,
      json: {
        message:
          'only the following media types are accepted: application/json, application/yaml, text/plain',
      },
    });
  },
);

test('the verbosity can be changed', async () => {
  const { api, verbosity } = await pages();
  const put = (body: string) =>
    api.chain.serve({
      method: 'PUT',
      path: '/debug/flags/v',
      query: '',
      headers: { authorization: 'Bearer test-token' },
      body: { kind: 'bytes', bytes: new TextEncoder().encode(body) },
      peer: { address: '127.0.0.1', tls: true, protocol: 'in-process' },
      structured: false,
      signal: () => new AbortController().signal,
    });
  expect(await put('4')).toMatchObject({ status: 200 });
  expect(verbosity.level).toBe(4);
  expect(await put('much')).toMatchObject({ status: 400 });
  expect(verbosity.level).toBe(4);
});
