import { ManualClock, seededRandom } from '@coxswain/apimachinery';
import { afterEach, expect, test } from 'vitest';
import { startedServer, type StartedServer } from '../testing/started-server.ts';

const root = '/apis/flowcontrol.apiserver.k8s.io/v1';
const schemas = `${root}/flowschemas`;
const levels = `${root}/prioritylevelconfigurations`;
const merge = 'application/merge-patch+json';
const autoUpdate = 'apf.kubernetes.io/autoupdate-spec';

let server: StartedServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function started(more: Parameters<typeof startedServer>[0] = {}) {
  const clock = new ManualClock();
  server = await startedServer({ clock, random: seededRandom(1), ...more });
  const { send } = server;
  // Lets in-process reactions to a write happen.
  const settled = () => clock.advance(1);
  return { clock, send, settled };
}

const schema = (name: string, level: string) => ({
  metadata: { name },
  spec: { priorityLevelConfiguration: { name: level } },
});

const level = (name: string) => ({
  metadata: { name },
  spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
});

interface Condition {
  readonly type: string;
  readonly status: string;
}

const danglingOf = ({ text }: { readonly text: string }): string | undefined =>
  (JSON.parse(text) as { status?: { conditions?: Condition[] } }).status?.conditions?.find(
    ({ type }) => type === 'Dangling',
  )?.status;

test('a schema says whether its level is there, and again when the level comes and goes', async () => {
  const { send, settled } = await started();
  const reported = async () => {
    await settled();
    return danglingOf(await send('GET', `${schemas}/a`));
  };

  await send('POST', schemas, schema('a', 'mine'));
  expect(await reported()).toBe('True');
  await send('POST', levels, level('mine'));
  expect(await reported()).toBe('False');
  await send('DELETE', `${levels}/mine`);
  expect(await reported()).toBe('True');
});

test('a condition that others changed is corrected', async () => {
  const { send, settled } = await started();
  await send('POST', schemas, schema('a', 'exempt'));
  await settled();

  await send('PATCH', `${schemas}/a/status`, { status: null }, merge);
  await settled();

  expect(danglingOf(await send('GET', `${schemas}/a`))).toBe('False');
});

test('patches at the same time don’t keep a schema from saying it', async () => {
  const { send, settled } = await started();
  await send('POST', schemas, schema('a', 'missing'));
  const patches = Array.from({ length: 20 }, (_, at) =>
    send('PATCH', `${schemas}/a`, { metadata: { labels: { [`l${at}`]: 'x' } } }, merge),
  );

  await Promise.all(patches);
  await settled();

  expect(danglingOf(await send('GET', `${schemas}/a`))).toBe('True');
});

test('two servers that disagree don’t write for ever: after six writes in a minute there is a pause', async () => {
  const { send, settled, clock } = await started();
  await send('POST', schemas, schema('a', 'missing'));
  await settled();
  const statuses: (string | undefined)[] = [];

  for (let times = 0; times < 7; times++) {
    await send('PATCH', `${schemas}/a/status`, { status: null }, merge);
    await settled();
    statuses.push(danglingOf(await send('GET', `${schemas}/a`)));
  }
  // Writes of the last minute count, and a pause takes at most 75 s.
  await clock.advance(140_000);

  expect(statuses).toEqual(['True', 'True', 'True', 'True', 'True', undefined, undefined]);
  expect(danglingOf(await send('GET', `${schemas}/a`))).toBe('True');
});

test('mandatory objects are restored within a minute, and requests are served until then', async () => {
  const { send, clock } = await started();
  await send('DELETE', `${schemas}/catch-all`);
  await send('DELETE', `${levels}/exempt`);
  await clock.advance(58_000);
  const before = await send('GET', `${schemas}/catch-all`);

  await clock.advance(3_000);

  expect(before.status).toBe(404);
  expect((await send('GET', `${schemas}/catch-all`)).status).toBe(200);
  expect((await send('GET', `${levels}/exempt`)).status).toBe(200);
});

test('suggested objects are restored within a minute', async () => {
  const { send, clock } = await started();
  await send('PATCH', `${schemas}/service-accounts`, { spec: { matchingPrecedence: 9100 } }, merge);
  await send('DELETE', `${schemas}/probes`);

  await clock.advance(61_000);

  expect((await send('GET', `${schemas}/service-accounts`)).body.spec).toMatchObject({
    matchingPrecedence: 9000,
  });
  expect((await send('GET', `${schemas}/probes`)).status).toBe(200);
});

test('a suggested object that an operator took over keeps its changes', async () => {
  const { send, clock } = await started();
  const mine = { metadata: { annotations: { [autoUpdate]: 'false' } }, spec: { matchingPrecedence: 9100 } };
  await send('PATCH', `${schemas}/service-accounts`, mine, merge);
  const unsaid = { metadata: { annotations: { [autoUpdate]: null } }, spec: { matchingPrecedence: 801 } };
  await send('PATCH', `${schemas}/kube-scheduler`, unsaid, merge);

  await clock.advance(61_000);

  expect((await send('GET', `${schemas}/service-accounts`)).body.spec).toMatchObject({
    matchingPrecedence: 9100,
  });
  const { body } = await send('GET', `${schemas}/kube-scheduler`);
  expect(body.spec).toMatchObject({ matchingPrecedence: 801 });
  expect(body.metadata.annotations).toEqual({ [autoUpdate]: 'false' });
});

test('an object that calls itself the server’s own, and is not, goes', async () => {
  const { send, clock } = await started();
  const own = schema('a', 'exempt');
  await send('POST', schemas, { ...own, metadata: { name: 'a', annotations: { [autoUpdate]: 'true' } } });
  await send('POST', schemas, schema('b', 'exempt'));

  await clock.advance(61_000);

  expect((await send('GET', `${schemas}/a`)).status).toBe(404);
  expect((await send('GET', `${schemas}/b`)).status).toBe(200);
});

test('the seats of the exempt level are for operators to set', async () => {
  const { send, clock } = await started();
  await send('PATCH', `${levels}/exempt`, { spec: { exempt: { nominalConcurrencyShares: 7 } } }, merge);

  await clock.advance(61_000);

  expect((await send('GET', `${levels}/exempt`)).body.spec).toMatchObject({
    exempt: { nominalConcurrencyShares: 7, lendablePercent: 0 },
  });
});

test('tables show the state of each level', async () => {
  const { send } = await started();

  const { text } = await send('GET', '/debug/api_priority_and_fairness/dump_priority_levels');

  const [head, ...rows] = text.trimEnd().split('\n');
  expect(head).toBe(
    'PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests, DispatchedRequests, RejectedRequests, TimedoutRequests, CancelledRequests',
  );
  expect(rows[0]).toBe(
    'catch-all,         0,            true,   false,       0,               0,                 0,                  0,                0,                0',
  );
  expect(rows.map((row) => row.split(',')[0])).toEqual([
    'catch-all',
    'exempt',
    'global-default',
    'leader-election',
    'node-high',
    'system',
    'workload-high',
    'workload-low',
  ]);
});

test('a table of requests shows users and resources on request', async () => {
  const { send } = await started();
  const path = '/debug/api_priority_and_fairness/dump_requests';

  const { text } = await send('GET', `${path}?includeRequestDetails=1`);

  const cells = text.trimEnd().split('\n')[1]!.split(/, +/);
  expect(cells.slice(0, 5)).toEqual(['exempt', 'exempt', '-1', '-1', '']);
  expect(cells.slice(10, 13)).toEqual(['admin', 'get', path]);
  expect((await send('GET', path)).text).not.toContain('UserName');
});

test('when disabled, only two counters limit requests, and responses name no flow', async () => {
  const { send, settled } = await started({
    enablePriorityAndFairness: false,
    limits: { readOnlyMax: 1, mutatingMax: 1 },
  });
  await send('POST', schemas, schema('a', 'exempt'));
  await settled();

  expect(danglingOf(await send('GET', `${schemas}/a`))).toBeUndefined();
  expect((await send('GET', '/debug/api_priority_and_fairness/dump_requests')).status).toBe(404);
});
