import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { ManualClock, type StepObserver } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { rbacAuthorizer } from '../authorization/rbac/authorizer.ts';
import { RuleResolver } from '../authorization/rbac/rule-resolver.ts';
import { unionAuthorizer } from '../authorization/union.ts';
import { privilegedGroup } from '../authorization/fixed.ts';
import { inProcessTransport } from '../http/in-process.ts';
import { configMap, configMaps } from '../testing/config-map.ts';
import { inMemoryApi, type InMemoryApiOptions } from '../testing/in-memory-api.ts';

const resources = [{ kind: ConfigMap }];
const tokens = 'test-token,admin,1,"system:masters"\nalice-token,alice,2,"dev"';
const alice = { authorization: 'Bearer alice-token' };

function guarded(options: Partial<InMemoryApiOptions> = {}) {
  const rules = new RuleResolver();
  const authorizer = unionAuthorizer([privilegedGroup, rbacAuthorizer(rules)]);
  return { rules, ...inMemoryApi({ resources, tokens, authorizer, ...options }) };
}

test("the filters are in upstream's order", () => {
  expect(inMemoryApi({ resources }).chain.filters.map(({ step }) => step)).toEqual([
    'init-audit',
    'recover-panics',
    'paths-installed',
    'request-received-time',
    'request-info',
    'log-request',
    'retry-after',
    'strict-transport-security',
    'cache-control',
    'goaway',
    'count-in-flight',
    'request-deadline',
    'timeout',
    'warning-recorder',
    'cors',
    'authenticate',
    'audit',
    'impersonate',
    'max-in-flight',
    'authorize',
  ]);
});

test('a denial states the user and the operation', async () => {
  const { request } = guarded();

  const answer = await request('GET', configMaps, undefined, alice);

  expect(answer.status).toBe(403);
  expect(answer.json.message).toBe(
    'configmaps is forbidden: User "alice" cannot list resource "configmaps" in API group "" in the namespace "default"',
  );
});

test('a bad token is a 401, no token is the anonymous user', async () => {
  const { request } = guarded();

  expect((await request('GET', configMaps, undefined, { authorization: 'Bearer nonsense' })).status).toBe(
    401,
  );
  const anonymous = await request('GET', configMaps, undefined, { authorization: '' });
  expect(anonymous.json.message).toContain('User "system:anonymous" cannot list');
});

test('impersonation requires permission and then takes effect', async () => {
  const { request } = guarded();

  const asAlice = await request('GET', configMaps, undefined, { 'impersonate-user': 'alice' });
  expect(asAlice.json.message).toContain('User "alice" cannot list');
  const asAdmin = await request('GET', configMaps, undefined, { ...alice, 'impersonate-user': 'admin' });
  expect(asAdmin.json.message).toContain(
    'User "alice" cannot impersonate-on:user-info:list resource "configmaps"',
  );
});

test('a bug in a handler is a 500 and a log line, and the server continues', async () => {
  const lines: string[] = [];
  const broken = {
    name: 'broken',
    handles: () => true,
    validate: () => JSON.parse(undefined as unknown as string) as void,
  };
  const { request } = guarded({ plugins: [broken], log: (line) => lines.push(line) });
  const bug = {
    name: 'bug',
    handles: () => true,
    validate: () => (undefined as unknown as { x: { y: number } }).x.y as unknown as void,
  };
  const other = guarded({ plugins: [bug], log: (line) => lines.push(line) });

  expect((await request('POST', configMaps, configMap('a'))).status).toBe(500);
  expect((await other.request('POST', configMaps, configMap('a'))).body).toContain(
    'caused apiserver to panic',
  );

  expect(lines.some((line) => line.includes("apiserver panic'd"))).toBe(true);
  expect((await other.request('GET', configMaps)).status).toBe(200);
});

test('a request that takes too long is answered 504', async () => {
  const clock = new ManualClock();
  const stuck = { name: 'stuck', handles: () => true, validate: () => new Promise<void>(() => undefined) };
  const { request, services } = guarded({ clock, plugins: [stuck] });
  const answer = request('POST', `${configMaps}?timeout=2s`, configMap('a'));

  await clock.advance(3_500);

  expect((await answer).status).toBe(504);
  expect(services.metrics.exposition()).toMatch(
    /apiserver_request_terminations_total\{code="504",.*resource="configmaps",scope="resource".*\} 1\n/,
  );
});

test('warnings are sent once each, as warn-text', async () => {
  const { request } = guarded();

  const created = await request('POST', configMaps, '{"metadata":{"name":"a"},"x":1,"y":2}');

  expect(created.headers['warning']).toEqual([
    '299 - "unknown field \\"x\\""',
    '299 - "unknown field \\"y\\""',
  ]);
});

test('an observer sees every named step of a request, from the first filter to the store', async () => {
  const { chain } = guarded();
  const steps: string[] = [];
  const observer: StepObserver = { begin: (step) => void steps.push(step) };
  const transport = inProcessTransport({
    serve: (incoming) => chain.serve(incoming),
    user: { name: 'x', groups: ['system:masters'] },
  });

  await transport.send({
    method: 'POST',
    path: configMaps,
    headers: {},
    body: { object: configMap('a') },
    observer,
  });

  expect(steps.filter((step) => !step.startsWith('storage/') || step === 'storage/update')).toEqual(
    expect.arrayContaining([
      'init-audit',
      'authorize',
      'handler/post',
      'decode',
      'managed-fields',
      'validate',
      'encode',
      'storage/update',
    ]),
  );
});

test('in process an object goes in and out by reference, and the stored one is not the one sent', async () => {
  const { chain } = guarded();
  const transport = inProcessTransport({
    serve: (incoming) => chain.serve(incoming),
    user: { name: 'x', groups: ['system:masters'] },
  });
  const sent = configMap('a', { k: 'v' });
  await transport.send({ method: 'GET', path: configMaps, headers: {} });

  const created = await transport.send({
    method: 'POST',
    path: configMaps,
    headers: {},
    body: { object: sent },
  });
  const read = await transport.send({ method: 'GET', path: `${configMaps}/a`, headers: {} });

  expect(read.object).toBe(created.object);
  expect(sent).toEqual(configMap('a', { k: 'v' }));
});
