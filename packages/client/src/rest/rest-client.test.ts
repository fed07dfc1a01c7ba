import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts';
import { HostBackOff } from './back-off.ts';
import { TokenBucket } from './rate-limiter.ts';
import { requestPath } from './request-path.ts';
import { RestClient, retriesMax } from './rest-client.ts';
import { onceEach, warningTexts } from './warnings.ts';

test.each([
  [{ resource: 'pods', namespace: 'a', name: 'b' }, '/api/v1/namespaces/a/pods/b'],
  [{ groupVersion: { group: 'apps', version: 'v1' }, resource: 'deployments' }, '/apis/apps/v1/deployments'],
  [
    { resource: 'pods', namespace: 'a', name: 'b', subresource: 'proxy', subpath: 'x y/z' },
    '/api/v1/namespaces/a/pods/b/proxy/x%20y/z',
  ],
  [{ resource: 'roles', name: 'system:x' }, '/api/v1/roles/system:x'],
  [
    { path: '/healthz', query: { verbose: 'a b', exclude: ['x', 'y'] } },
    '/healthz?exclude=x&exclude=y&verbose=a+b',
  ],
])('the parts %j are the path %s', (target, path) => {
  expect(requestPath('GET', target)).toBe(path);
});

test.each([
  ['GET', { resource: 'pods', name: '' }, 'resource name may not be empty'],
  ['GET', { resource: 'pods', name: 'a/b' }, `invalid resource name "a/b": [may not contain '/']`],
  ['GET', { resource: 'pods', namespace: '..' }, `invalid namespace "..": [may not be '..']`],
  ['POST', { resource: 'pods', namespaced: true }, 'an empty namespace may not be set during creation'],
  [
    'GET',
    { resource: 'pods', namespaced: true, name: 'a' },
    'an empty namespace may not be set when a resource name is provided',
  ],
])('%s %j is refused before it is sent', (verb, target, message) => {
  expect(() => requestPath(verb, target)).toThrow(message);
});

test('a busy server is asked again after the time it asked for, at most ten times', async () => {
  const clock = new ManualClock();
  const server = new ScriptedServer(() => answer(429, { 'retry-after': '2' }, 'busy'));
  const failed = new RestClient({ transport: server, clock })
    .request({ verb: 'GET', path: '/x' })
    .catch((error: unknown) => error);
  await clock.advance(60_000);
  expect(await failed).toMatchObject({ code: 429, reason: 'TooManyRequests' });
  expect(server.requests).toHaveLength(retriesMax + 1);
});

test('a broken connection is tried again when nothing could have been changed, else reported', async () => {
  const clock = new ManualClock();
  const server = new ScriptedServer((_request, index) => {
    if (index === 0) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    return answer(200, {}, '{"ok":true}');
  });
  const client = new RestClient({ transport: server, clock });
  const got = client.request({ verb: 'GET', path: '/x' });
  await clock.advance(5_000);
  expect(await got).toEqual({ ok: true });

  server.requests.length = 0;
  await expect(client.request({ verb: 'POST', path: '/x', body: {} })).rejects.toThrow('ECONNRESET');
});

test('a response that is not a Status becomes an error that names the request', async () => {
  const server = new ScriptedServer(() =>
    answer(404, { 'content-type': 'text/plain' }, '404 page not found'),
  );
  const client = new RestClient({ transport: server });
  await expect(client.request({ verb: 'GET', resource: 'pods', name: 'a' })).rejects.toMatchObject({
    message: 'the server could not find the requested resource (get pods a)',
    status: { details: { causes: [{ reason: 'UnexpectedServerResponse', message: '404 page not found' }] } },
  });
});

test('integers that no float can hold survive both ways', async () => {
  const server = new ScriptedServer((request) =>
    answer(200, {}, new TextDecoder().decode(request.body as Uint8Array)),
  );
  const body = { metadata: { generation: 9007199254740993n } };
  expect(await new RestClient({ transport: server }).request({ verb: 'POST', path: '/x', body })).toEqual(
    body,
  );
});

test('warnings reach the user once each', () => {
  const shown: string[] = [];
  const handler = onceEach((text) => shown.push(text));
  for (const text of warningTexts([
    '299 - "old \\"thing\\""',
    '299 - "old \\"thing\\"", 199 - "not for you"',
  ]))
    handler(text);
  expect(shown).toEqual(['old "thing"']);
});

test('a token bucket lets a burst through and then keeps the pace', async () => {
  const clock = new ManualClock();
  const bucket = new TokenBucket(clock, 2, 3);
  expect([bucket.reserve(), bucket.reserve(), bucket.reserve(), bucket.reserve(), bucket.reserve()]).toEqual([
    0, 0, 0, 500, 1000,
  ]);
});

test('a host that fails is asked less and less often until it answers', () => {
  const backOff = new HostBackOff(100, 300);
  const delays = [500, 503, undefined, 200].map((status) => {
    backOff.note('a', status);
    return backOff.delayMs('a');
  });
  expect(delays).toEqual([100, 200, 300, 0]);
});

class ScriptedServer implements Transport {
  readonly structured = false;
  readonly address = 'test:';
  readonly requests: TransportRequest[] = [];
  readonly #script: (request: TransportRequest, index: number) => TransportResponse;

  constructor(script: (request: TransportRequest, index: number) => TransportResponse) {
    this.#script = script;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    this.requests.push(request);
    return this.#script(request, this.requests.length - 1);
  }

  async close(): Promise<void> {}
}

function answer(status: number, headers: Record<string, string>, body: string): TransportResponse {
  const bytes = new TextEncoder().encode(body);
  return {
    status,
    headers,
    bytes: async () => bytes,
    async *stream() {
      yield bytes;
    },
  };
}
