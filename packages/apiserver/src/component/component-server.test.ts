import { request as httpsRequest } from 'node:https';
import { afterEach, expect, test } from 'vitest';
import type { KubeObject } from '@coxswain/apimachinery';
import { createClient, type Transport } from '@coxswain/client';
import { serveComponent, type ComponentParts, type ComponentServer } from './component-server.ts';
import { servingSettingsDefault } from './serving-flags.ts';

const servers: ComponentServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** An API server that knows two tokens and allows only one user to read metrics. */
const reviewing: Transport = {
  structured: true,
  address: 'in-process',
  async send({ path, body }) {
    const { object } = body as { object: { spec: { token?: string; user?: string } } };
    const users: Readonly<Record<string, string>> = { 'token-ann': 'ann', 'token-bob': 'bob' };
    const status = path.includes('tokenreviews')
      ? {
          authenticated: Object.hasOwn(users, object.spec.token!),
          user: { username: users[object.spec.token!] },
        }
      : { allowed: object.spec.user === 'ann' };
    const answer = path.includes('configmaps') ? { data: {} } : { ...object, status };
    return answered(answer as unknown as KubeObject);
  },
  async close() {},
};

const answered = (object: KubeObject) => ({
  status: 200,
  headers: {},
  object,
  bytes: () => Promise.resolve(new Uint8Array()),
  stream: async function* () {},
});

async function served(parts: Partial<ComponentParts> = {}) {
  const client = createClient({ transport: reviewing as unknown as Transport });
  const server = await serveComponent({
    name: 'kube-example',
    version: '1.36.3',
    emulatedMinor: 36,
    serving: { ...servingSettingsDefault, skipsLookup: true },
    authenticationClient: client,
    authorizationClient: client,
    checks: { '/healthz': () => [{ name: 'ping', check: () => undefined }] },
    configuration: () => ({ example: { kind: 'Example' } }),
    flags: { 'secure-port': '0' },
    log: () => {},
    ...parts,
  });
  servers.push(server);
  return (path: string, token?: string) => get(server.port, path, token);
}

const get = (port: number, path: string, token?: string) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const options = { host: '127.0.0.1', port, path, headers, rejectUnauthorized: false };
    httpsRequest(options, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    })
      .on('error', reject)
      .end();
  });

test('health is public, and a failing check is a 500', async () => {
  const fetchHealthy = await served();
  const fetchSick = await served({
    checks: { '/healthz': () => [{ name: 'ping', check: () => 'disk full' }] },
  });

  expect(await fetchHealthy('/healthz')).toEqual({ status: 200, body: 'ok' });
  expect((await fetchSick('/healthz')).status).toBe(500);
});

test('metrics and configuration require authorization by the API server', async () => {
  const fetch = await served();

  const refused = await fetch('/metrics');
  expect([refused.status, JSON.parse(refused.body).message]).toEqual([
    403,
    'forbidden: User "system:anonymous" cannot get path "/metrics"',
  ]);
  expect((await fetch('/metrics', 'token-bob')).status).toBe(403);
  expect((await fetch('/metrics', 'token-ann')).body).toContain('# TYPE authentication_attempts counter');
  const { body } = await fetch('/metrics', 'token-ann');
  expect(body).toMatch(/authorization_attempts_total\{result="no-opinion"\} [1-9]/);
  expect(body).toMatch(/authorization_duration_seconds_count\{result="allowed"\} [1-9]/);
  expect((await fetch('/configz', 'token-ann')).body).toBe('{"example":{"kind":"Example"}}');
});

test('health checks are counted at each request', async () => {
  const fetch = await served();
  await fetch('/healthz');
  await fetch('/healthz');

  const { body } = await fetch('/metrics/slis', 'token-ann');
  expect(body).toContain('kubernetes_healthcheck{name="ping",type="healthz"} 1');
  expect(body).toContain('kubernetes_healthchecks_total{name="ping",status="success",type="healthz"} 2');
});

test('profiles are served if enabled, to users that the API server authorizes', async () => {
  const profiler = {
    cpu: () => Promise.resolve(new TextEncoder().encode('a profile')),
    heap: () => Promise.reject(new Error('not asked for')),
  };
  const fetch = await served({ profiler });

  expect((await fetch('/debug/pprof/profile?seconds=1')).status).toBe(403);
  expect(await fetch('/debug/pprof/profile?seconds=1', 'token-ann')).toEqual({
    status: 200,
    body: 'a profile',
  });
  expect((await (await served())('/debug/pprof/profile', 'token-ann')).status).toBe(404);
});

test('an unknown token is refused, even for health checks', async () => {
  const fetch = await served();

  expect((await fetch('/healthz', 'token-eve')).status).toBe(401);
});

test('an unknown path is a 404 for authorized users', async () => {
  const fetch = await served();

  expect(await fetch('/nothing', 'token-ann')).toEqual({ status: 404, body: '404 page not found\n' });
  expect((await fetch('/nothing')).status).toBe(403);
});
