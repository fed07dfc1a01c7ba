import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { ManualClock, seededRandom } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { FlowControl } from '../flow-control/flow-control.ts';
import { limitedLevel, schemaFor, type LevelSettings } from '../flow-control/flow-objects.fixture.ts';
import { RequestsInProgress } from '../flow-control/requests-in-progress.ts';
import { parseRequestInfo } from '../request-info.ts';
import type { ServerServices } from '../services/services.ts';
import { configMap, configMaps } from '../testing/config-map.ts';
import { inMemoryApi, type Answer } from '../testing/in-memory-api.ts';

const users = ['greedy', ...Array.from({ length: 9 }, (_, at) => `modest-${at}`)];
const tokens = users.map((name) => `${name}-token,${name},${name},"dev"`).join('\n');

const asAdmin = { authorization: 'Bearer admin-token' };

interface Setting {
  readonly seatsTotal: number;
  readonly level: LevelSettings;
  readonly serviceMs: () => number;
}

/** An API server in which every create takes a while, with a single priority level for all requests. */
function slowApi({ seatsTotal, level, serviceMs }: Setting) {
  const clock = new ManualClock();
  let flowControl: FlowControl | undefined;
  const api = inMemoryApi({
    resources: [{ kind: ConfigMap }],
    clock,
    tokens: `${tokens}\nadmin-token,admin,admin,"system:masters"`,
    plugins: [{ name: 'slow', handles: () => true, validate: () => clock.sleep(serviceMs()) }],
    flowControl: ({ metrics }: ServerServices) => {
      const inProgress = new RequestsInProgress(clock, metrics);
      flowControl = new FlowControl({ clock, metrics, seatsTotal, sizes: () => undefined, inProgress });
      flowControl.controller.digest(
        [limitedLevel('all', { shares: 1_000_000, ...level })],
        [schemaFor('all', 'all', { distinguish: 'ByUser' })],
      );
      return flowControl;
    },
  });
  const create = (user: string, query = ''): Promise<Answer> =>
    api.request('POST', `${configMaps}?dryRun=All${query}`, configMap('x'), {
      authorization: `Bearer ${user}-token`,
    });
  return { ...api, clock, create, control: flowControl! };
}

test('a request without a seat or a queue is refused with Retry-After and its flow', async () => {
  const { create, clock } = slowApi({ seatsTotal: 1, level: {}, serviceMs: () => 10 });
  const served = create('greedy');

  const refused = await create('modest-1');
  await clock.advance(20);

  expect((await served).status).toBe(201);
  expect((await served).headers['x-kubernetes-pf-flowschema-uid']).toBe('schema-all');
  expect(refused.status).toBe(429);
  expect(refused.body).toBe('Too many requests, please try again later.\n');
  expect(refused.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'retry-after': '1',
    'x-kubernetes-pf-flowschema-uid': 'schema-all',
    'x-kubernetes-pf-prioritylevel-uid': 'level-all',
  });
});

test('exempt requests are served under any load', async () => {
  const { create, clock } = slowApi({ seatsTotal: 1, level: {}, serviceMs: () => 10 });
  const answers = Promise.all([create('greedy'), create('admin'), create('admin')]);

  await clock.advance(20);

  expect((await answers).map(({ status }) => status)).toEqual([201, 201, 201]);
});

test('a request waits in a queue for at most a quarter of its timeout', async () => {
  const { create, clock } = slowApi({
    seatsTotal: 1,
    level: { queuing: [1, 1, 10] },
    serviceMs: () => 100_000,
  });
  void create('greedy');
  let answeredAtMs = 0;
  const waiting = create('modest-1', '&timeout=8s').then((answer) => {
    answeredAtMs = clock.monotonic();
    return answer;
  });

  await clock.advance(5_000);

  expect((await waiting).status).toBe(429);
  expect(answeredAtMs).toBe(2_000);
});

test('a full queue accepts no more requests', async () => {
  const { create, clock } = slowApi({
    seatsTotal: 1,
    level: { queuing: [1, 1, 2] },
    serviceMs: () => 10,
  });
  const answers = Promise.all([1, 2, 3, 4].map(() => create('greedy')));

  await clock.advance(100);

  expect((await answers).map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 429]);
});

test('continued refusals double Retry-After', async () => {
  const { create, clock } = slowApi({ seatsTotal: 1, level: {}, serviceMs: () => 100_000 });
  void create('greedy');
  const reported: unknown[] = [];

  for (let second = 0; second < 8; second++) {
    for (let times = 0; times < 30; times++) await create('modest-1');
    reported.push((await create('modest-1')).headers['retry-after']);
    await clock.advance(1_000);
  }

  expect(reported).toEqual(['1', '2', '2', '4', '4', '4', '4', '8']);
});

test('a watch releases its seat once it is open', async () => {
  const { control, clock, create, watchLines } = slowApi({ seatsTotal: 1, level: {}, serviceMs: () => 10 });
  const lines = watchLines(`${configMaps}?watch=true`, 0);
  await clock.advance(1);

  const answer = create('greedy');
  await clock.advance(20);

  expect((await answer).status).toBe(201);
  expect(control.controller.levels.get('all')!.set.seatsInUse).toBe(0);
  await lines;
});

test('watches are tracked while they are open', async () => {
  const { control, clock, request } = slowApi({ seatsTotal: 5, level: {}, serviceMs: () => 1 });
  const change = parseRequestInfo('POST', configMaps, '');
  const counts: number[] = [];

  const watch = request('GET', `${configMaps}?watch=true&timeoutSeconds=5`, undefined, asAdmin);
  await clock.advance(10);
  counts.push(control.watches.interestedIn(change));
  await clock.advance(6_000);
  counts.push(control.watches.interestedIn(change));
  await request('GET', `${configMaps}?watch=true&resourceVersion=nonsense`, undefined, asAdmin);
  counts.push(control.watches.interestedIn(change));

  expect((await watch).status).toBe(200);
  expect(counts).toEqual([1, 0, 0]);
});

const p99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1]!;

interface Crowd {
  readonly greedyPerSecond: number;
  readonly queuing: readonly [number, number, number];
}

const seconds = 2;
const modestPerSecond = 40;

/** The response times of the modest clients: requests take 10 ms, and 20 are served concurrently. */
async function modestLatencies({ greedyPerSecond, queuing }: Crowd): Promise<readonly number[]> {
  const random = seededRandom(42);
  const serviceMs = () => 8 + 4 * random.next();
  const { clock, create } = slowApi({ seatsTotal: 20, level: { queuing }, serviceMs });
  const latenciesMs: number[] = [];
  const asked: Promise<void>[] = [];
  const ask = async (user: string, perSecond: number) => {
    await clock.sleep((random.next() * 1000) / perSecond);
    for (let at = 0; at < perSecond * seconds; at++) {
      const fromMs = clock.monotonic();
      const answered = create(user).then(({ status }) => {
        if (user === 'greedy') return;
        expect(status).toBe(201);
        latenciesMs.push(clock.monotonic() - fromMs);
      });
      asked.push(answered);
      await clock.sleep(1000 / perSecond);
    }
  };
  const [greedy, ...modest] = users;
  const asking = modest.map((user) => ask(user, modestPerSecond));
  if (greedyPerSecond > 0) asking.push(ask(greedy!, greedyPerSecond));
  await clock.advance(seconds * 1000 + 30_000);
  await Promise.all([...asking, ...asked]);
  return latenciesMs;
}

const greedyPerSecond = 50 * modestPerSecond;

test('a client with 50 times the requests at most doubles the p99 of the others', async () => {
  const queuing = [64, 6, 50] as const;
  const alone = await modestLatencies({ greedyPerSecond: 0, queuing });
  const beside = await modestLatencies({ greedyPerSecond, queuing });

  expect(beside.length).toBe(alone.length);
  expect(p99(beside) / p99(alone)).toBeLessThan(2);
}, 60_000);

test('without queuing the others would wait long', async () => {
  const queuing = [1, 1, 3_000] as const;
  const alone = await modestLatencies({ greedyPerSecond: 0, queuing });
  const beside = await modestLatencies({ greedyPerSecond, queuing });

  expect(p99(beside) / p99(alone)).toBeGreaterThan(10);
}, 60_000);
