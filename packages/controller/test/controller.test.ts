/** Controllers in a manager, with an in-memory cluster and its clock. */
import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { Secret } from '@coxswain/api/core/v1/secret.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import {
  addFinalizer,
  all,
  controller,
  controllerReference,
  createManager,
  createOrUpdate,
  generationChanged,
  isBeingDeleted,
  matching,
  removeFinalizer,
  setControllerReference,
  TerminalError,
  watch,
  type Controller,
  type Manager,
  type ManagerOptions,
  type Request,
} from '@coxswain/controller';
import { createCluster, type TestCluster } from 'coxswain/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Greeting } from './greeting.fixture.ts';

let cluster: TestCluster;
const fieldManager = 'test';
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  cluster = await createCluster({ controllers: ['garbage-collector-controller'], nodes: 0 });
  await cluster.apply(Greeting.definition);
  await cluster.idle();
});
let begin: ReturnType<TestCluster['snapshot']>;
beforeEach(async () => {
  begin ??= cluster.snapshot();
  await cluster.reset(begin);
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => cluster.stop());

const greetings = () => cluster.client.of(Greeting).namespace('default');
const maps = () => cluster.client.of(ConfigMap).namespace('default');
const greet = (name: string, spec: Greeting['spec']) =>
  greetings().apply({ metadata: { name }, spec }, { fieldManager });

test('an object is reconciled when it comes, when it changes, and when it has gone', async () => {
  const seen: string[] = [];
  await run({
    name: 'greeting',
    for: Greeting,
    reconcile: ({ namespace, name }, { cache }) =>
      void seen.push(`${namespace}/${name} ${cache.of(Greeting).get(name, namespace)?.spec?.text ?? 'gone'}`),
  });
  await greet('a', { text: 'hello' });
  await cluster.idle();
  await greet('a', { text: 'good day' });
  await cluster.idle();
  await greetings().delete('a');
  await cluster.idle();

  expect(seen).toEqual(['default/a hello', 'default/a good day', 'default/a gone']);
});

test('a change to an owned object triggers its controller, which corrects it', async () => {
  await run(saying());
  await greet('a', { text: 'hello' });
  await cluster.idle();
  expect((await maps().get('a')).data).toEqual({ text: 'hello' });

  await maps().patch('a', { data: { text: 'rude' } }, { type: 'merge' });
  await cluster.idle();
  expect((await maps().get('a')).data).toEqual({ text: 'hello' });
  await maps().delete('a');
  await cluster.idle();
  expect((await maps().get('a')).data).toEqual({ text: 'hello' });

  await greetings().delete('a');
  await cluster.clock.advance('1m');
  await expect(maps().get('a')).rejects.toMatchObject({ reason: 'NotFound' });
});

test('another kind triggers the objects found by an index', async () => {
  const seen: string[] = [];
  const manager = await run(
    {
      name: 'greeting',
      for: Greeting,
      watches: [
        watch(Secret, ({ metadata }, cache) =>
          cache
            .of(Greeting)
            .byIndex('from', metadata.name ?? '')
            .map(requestOf),
        ),
      ],
      reconcile: ({ name }) => void seen.push(name),
    },
    {},
    (manager) => manager.cache.index(Greeting, 'from', ({ spec }) => (spec?.from ? [spec.from] : [])),
  );
  await greet('a', { from: 'password' });
  await greet('b', { from: 'another' });
  await cluster.idle();
  seen.length = 0;
  await cluster.client
    .of(Secret)
    .namespace('default')
    .create({ metadata: { name: 'password' } });
  await cluster.idle();

  expect(seen).toEqual(['a']);
  expect(manager.cache.of(Greeting).size).toBe(2);
});

test('a cache may hold one namespace, other objects of single kinds, and kinds of the cluster', async () => {
  const Namespace = {
    apiVersion: 'v1',
    kind: 'Namespace',
    names: { plural: 'namespaces', namespaced: false },
  };
  const system = cluster.client.of(ConfigMap).namespace('kube-system');
  await system.apply({ metadata: { name: 'far', labels: { app: 'web' } } }, { fieldManager });
  await system.apply({ metadata: { name: 'other' } }, { fieldManager });
  await cluster.client
    .of(Secret)
    .namespace('kube-system')
    .create({ metadata: { name: 'far' } });
  const seen: string[] = [];
  const manager = await run(
    {
      name: 'secrets',
      for: Secret,
      watches: [watch(ConfigMap, () => [])],
      reconcile: ({ namespace, name }) => void seen.push(`${namespace}/${name}`),
    },
    {
      cache: {
        namespace: 'default',
        kinds: [{ kind: ConfigMap, namespace: '', labelSelector: 'app=web' }],
      },
    },
    ({ cache }) => void cache.informer(Namespace),
  );
  await cluster.client
    .of(Secret)
    .namespace('default')
    .create({ metadata: { name: 'near' } });
  await cluster.idle();

  expect(seen).toEqual(['default/near']);
  expect(
    manager.cache
      .of(ConfigMap)
      .list()
      .map(({ metadata }) => metadata.name),
  ).toEqual(['far']);
  expect(manager.cache.of(Namespace).size).toBeGreaterThan(1);
});

test('objects of another cluster trigger a controller', async () => {
  const hub = await createCluster({ controllers: false, nodes: 0, scheduler: false });
  stops.push(() => hub.stop());
  const seen: string[] = [];
  const manager = createManager({ client: cluster.client, clock: cluster.clock });
  const other = manager.addCluster({ name: 'hub', client: hub.client, cache: { namespace: 'default' } });
  manager.add(
    controller({
      name: 'greeting',
      for: Greeting,
      watches: [watch(ConfigMap, ({ metadata }) => [requestOf({ metadata })], [], other)],
      reconcile: ({ name }) => void seen.push(`${name} ${other.cache.of(ConfigMap).size}`),
    }),
  );
  const stopping = new AbortController();
  const running = manager.start(stopping.signal);
  stops.unshift(async () => {
    stopping.abort();
    await running;
  });
  await cluster.idle();
  await hub.client
    .of(ConfigMap)
    .namespace('default')
    .create({ metadata: { name: 'from-afar' } });
  await cluster.eventually(() => expect(seen).toEqual(['from-afar 1']));

  expect(() => manager.addCluster({ name: 'late', client: hub.client })).toThrow('already running');
});

test('predicates keep changes away that are of no concern', async () => {
  const seen: string[] = [];
  await run({
    name: 'greeting',
    for: Greeting,
    predicates: [
      all(
        generationChanged,
        matching(({ metadata }) => metadata.name !== 'b'),
      ),
    ],
    reconcile: ({ name }) => void seen.push(name),
  });
  await greet('a', { text: 'hello' });
  await greet('b', { text: 'hello' });
  await cluster.idle();
  await greetings().patch('a', { metadata: { labels: { x: 'y' } } }, { type: 'merge' });
  await greetings().patch('a', { status: { said: 'hello' } }, { type: 'merge', subresource: 'status' });
  await cluster.idle();

  expect(seen).toEqual(['a']);
});

test('a failure is tried again, later and later, and counted; a terminal one is not', async () => {
  const tries: Record<string, number[]> = { flaky: [], hopeless: [] };
  const errors: string[] = [];
  const metrics = new Metrics();
  await run(
    {
      name: 'greeting',
      for: Greeting,
      retryFirstMs: 1000,
      reconcile({ name }, { clock }) {
        tries[name]!.push(clock.now());
        if (name === 'hopeless') throw new TerminalError('never');
        if (tries[name]!.length < 4) throw new Error('not yet');
      },
    },
    { metrics, onError: (error, part, key) => errors.push(`${part} ${key} ${messageOf(error)}`) },
  );
  await greet('flaky', {});
  await greet('hopeless', {});
  await cluster.clock.advance('1m');

  const gaps = tries['flaky']!.slice(1).map((atMs, index) =>
    Math.round((atMs - tries['flaky']![index]!) / 1000),
  );
  expect(gaps).toEqual([1, 2, 4]);
  expect(tries['hopeless']).toHaveLength(1);
  expect(errors.filter((line) => line.includes('flaky'))).toHaveLength(3);
  expect(errors).toContain('greeting default/hopeless never');
  const text = metrics.exposition();
  expect(text).toContain('controller_runtime_reconcile_errors_total{controller="greeting"} 4');
  expect(text).toContain('controller_runtime_reconcile_total{controller="greeting",result="success"} 1');
  expect(text).toContain('workqueue_retries_total{name="greeting"} 3');
});

test('a reconcile may ask to come again after a while', async () => {
  let count = 0;
  await run({
    name: 'greeting',
    for: Greeting,
    reconcile() {
      count++;
      return { requeueAfterMs: 60_000 };
    },
  });
  await greet('a', {});
  await cluster.clock.advance('2m30s');

  expect(count).toBe(3);
});

test('as many reconciles run at once as are allowed, and never two of one object', async () => {
  const running: string[] = [];
  let most = 0;
  let twice = false;
  await run({
    name: 'greeting',
    for: Greeting,
    maxConcurrentReconciles: 3,
    async reconcile({ name }, { clock }) {
      twice ||= running.includes(name);
      running.push(name);
      most = Math.max(most, running.length);
      await clock.sleep(100);
      running.splice(running.indexOf(name), 1);
    },
  });
  for (const name of ['a', 'b', 'c', 'd', 'e']) await greet(name, {});
  for (const name of ['a', 'b']) await greet(name, { text: 'again' });
  await cluster.idle();

  expect({ most, twice, running }).toEqual({ most: 3, twice: false, running: [] });
});

test('a finalizer holds an object until its work is done', async () => {
  const finalizer = 'example.com/goodbye';
  const said: string[] = [];
  await run({
    name: 'greeting',
    for: Greeting,
    async reconcile({ namespace, name }, { cache, client }) {
      const greeting = cache.of(Greeting).get(name, namespace);
      if (greeting === undefined) return;
      if (!isBeingDeleted(greeting)) return void (await addFinalizer(client, Greeting, greeting, finalizer));
      said.push(`goodbye ${name}`);
      await removeFinalizer(client, Greeting, greeting, finalizer);
    },
  });
  await greet('a', {});
  await cluster.idle();
  expect((await greetings().get('a')).metadata.finalizers).toEqual([finalizer]);
  await greetings().delete('a');
  await cluster.idle();

  expect(said).toEqual(['goodbye a']);
  await expect(greetings().get('a')).rejects.toMatchObject({ reason: 'NotFound' });
});

test('createOrUpdate creates a missing object, updates one that differs, and leaves others alone', async () => {
  const say = (text: string) =>
    createOrUpdate(cluster.client, ConfigMap, { metadata: { name: 'x', namespace: 'default' } }, (map) => {
      map.data = { text };
    });

  expect((await say('a')).result).toBe('created');
  expect((await say('a')).result).toBe('unchanged');
  expect((await say('b')).result).toBe('updated');
});

test('an object that another controls is not taken, and no owner reaches into another namespace', async () => {
  const [a, b] = [await greet('a', {}), await greet('b', {})];
  const owned = setControllerReference<KubeObject>(Greeting, a, {
    metadata: { name: 'x', namespace: 'default' },
  });

  expect(setControllerReference(Greeting, a, owned).metadata.ownerReferences).toHaveLength(1);
  expect(() => setControllerReference(Greeting, b, owned)).toThrow(
    'already owned by another Greeting controller a',
  );
  expect(() => setControllerReference(Greeting, a, { metadata: { name: 'x', namespace: 'other' } })).toThrow(
    'namespace',
  );
});

test('events refer to the object that is reconciled', async () => {
  await run({
    name: 'greeting',
    for: Greeting,
    reconcile({ namespace, name }, { cache, events }) {
      const greeting = cache.of(Greeting).get(name, namespace);
      if (greeting !== undefined) events.event(greeting, 'Normal', 'Said', `said ${greeting.spec?.text}`);
    },
  });
  await greet('a', { text: 'hello' });
  await cluster.idle();
  const { items } = await cluster.client.resource('v1', 'events').namespace('default').list();

  expect(items).toMatchObject([
    {
      reason: 'Said',
      message: 'said hello',
      source: { component: 'greeting' },
      involvedObject: { kind: 'Greeting', name: 'a' },
    },
  ]);
});

test('of two instances one works, and the other takes over when it stops', async () => {
  const seen: string[] = [];
  const instance = (identity: string) =>
    run(
      { name: 'greeting', for: Greeting, reconcile: ({ name }) => void seen.push(`${identity} ${name}`) },
      { leaderElection: { namespace: 'default', name: 'greeter', identity } },
    );
  await instance('one');
  await cluster.idle();
  await instance('two');
  await greet('a', {});
  await cluster.clock.advance('10s');
  expect(seen).toEqual(['one a']);

  await stops.shift()!();
  await cluster.clock.advance('10s');
  expect(seen).toEqual(['one a', 'two a']);
});

test('a reconcile that runs when the manager stops may end, and no other begins', async () => {
  const steps: string[] = [];
  const manager = createManager({ client: cluster.client, clock: cluster.clock });
  manager.add(
    controller({
      name: 'greeting',
      for: Greeting,
      async reconcile({ name }, { clock }) {
        steps.push(`${name} begins`);
        await clock.sleep(5000);
        steps.push(`${name} ends`);
      },
    }),
  );
  await greet('a', {});
  await greet('b', {});
  const stopping = new AbortController();
  const running = manager.start(stopping.signal);
  await cluster.idle();
  stopping.abort();
  await cluster.clock.advance('10s');
  await running;

  expect(steps).toEqual(['a begins', 'a ends']);
});

test('a reconcile that never ends is not waited for longer than is said', async () => {
  const manager = createManager({ client: cluster.client, clock: cluster.clock, gracefulShutdownMs: 5000 });
  manager.add(controller({ name: 'stuck', for: Greeting, reconcile: () => new Promise<void>(() => {}) }));
  await greet('a', {});
  const stopping = new AbortController();
  const running = manager.start(stopping.signal);
  running.catch(() => undefined);
  await cluster.idle();
  stopping.abort();
  await cluster.clock.advance('10s');

  await expect(running).rejects.toThrow('not all parts stopped within 5 s');
});

test('a part that fails ends the manager with its failure', async () => {
  const manager = createManager({ client: cluster.client, clock: cluster.clock });
  manager.add({ name: 'broken', start: () => Promise.reject(new Error('no port')) });

  await expect(manager.start(new AbortController().signal)).rejects.toThrow('no port');
});

function saying(): Controller<Greeting> {
  return {
    name: 'greeting',
    for: Greeting,
    owns: [ConfigMap],
    async reconcile({ namespace, name }, { cache, client }) {
      const greeting = cache.of(Greeting).get(name, namespace);
      if (greeting === undefined) return;
      const metadata = { name, ownerReferences: [controllerReference(Greeting, greeting)] };
      const data = { text: greeting.spec?.text ?? '' };
      await client
        .of(ConfigMap)
        .namespace(namespace)
        .apply({ metadata, data }, { fieldManager: 'greeter', force: true });
    },
  };
}

const requestOf = ({ metadata: { namespace = '', name = '' } }: { metadata: Partial<Request> }): Request => ({
  namespace,
  name,
});

/** Runs the controller until the test ends, in the cluster's time. */
async function run<T>(
  definition: Controller<T>,
  options: Partial<ManagerOptions> = {},
  prepare: (manager: Manager) => void = () => {},
): Promise<Manager> {
  const manager = createManager({ client: cluster.client, clock: cluster.clock, ...options });
  manager.add(controller(definition));
  prepare(manager);
  const stopping = new AbortController();
  const running = manager.start(stopping.signal);
  stops.push(async () => {
    stopping.abort();
    await running;
  });
  await cluster.idle();
  return manager;
}

test('a lost lease ends the manager, and stops what ran as the leader', async () => {
  const led: string[] = [];
  const election = { namespace: 'default', name: 'lost', identity: 'me' };
  const manager = createManager({ client: cluster.client, clock: cluster.clock, leaderElection: election });
  manager.add({
    name: 'leading',
    needsLeaderElection: true,
    start: (_manager, signal) =>
      new Promise((resolve) => {
        led.push('begins');
        signal.addEventListener('abort', () => void (led.push('ends'), resolve()), { once: true });
      }),
  });
  const running = manager.start(new AbortController().signal);
  running.catch(() => undefined);
  await manager.elected;
  const leases = cluster.client.resource('coordination.k8s.io/v1', 'leases').namespace('default');
  await leases.patch('lost', { spec: { holderIdentity: 'another' } }, { type: 'merge' });
  await cluster.clock.advance('30s');

  await expect(running).rejects.toThrow('leaderelection lost');
  expect(led).toEqual(['begins', 'ends']);
});

test('a trigger enqueues objects for reasons outside the API, until the manager stops', async () => {
  const seen: string[] = [];
  let enqueue: (request: Request) => void = () => undefined;
  let isEnded = false;
  await run({
    name: 'greeting',
    for: Greeting,
    triggers: [
      async (add, { signal }) => {
        enqueue = add;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        isEnded = true;
      },
    ],
    reconcile: ({ namespace, name }) => void seen.push(`${namespace}/${name}`),
  });
  await cluster.idle();
  enqueue({ namespace: 'default', name: 'outside' });
  await cluster.idle();
  expect(seen).toEqual(['default/outside']);
  await stops.pop()!();
  expect(isEnded).toBe(true);
});

test('a trigger that fails ends the manager with its error', async () => {
  const manager = createManager({ client: cluster.client, clock: cluster.clock }).add(
    controller({
      name: 'greeting',
      for: Greeting,
      triggers: [() => Promise.reject(new Error('the queue is gone'))],
      reconcile: () => undefined,
    }),
  );
  await expect(manager.start(new AbortController().signal)).rejects.toThrow('the queue is gone');
});
