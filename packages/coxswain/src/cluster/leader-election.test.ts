import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock, seededRandom, type KubeObject } from '@coxswain/apimachinery';
import { createClient, runLeaderElection } from '@coxswain/client';
import { startCluster, type Cluster } from './cluster.ts';

interface Lease extends KubeObject {
  readonly spec?: { readonly holderIdentity?: string; readonly leaseTransitions?: number };
}

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ nodes: 0, controllers: [] });
});
afterAll(() => cluster.stop());

/** An instance of a program whose lease is called `name`, with its own clock. */
function instance(name: string, identity: string, clock: ManualClock, client = cluster.client()) {
  const stopping = new AbortController();
  const reported: string[] = [];
  const began = Promise.withResolvers<void>();
  let leads = false;
  const ended = runLeaderElection({
    client,
    namespace: 'default',
    name,
    identity,
    clock,
    random: seededRandom(1),
    signal: stopping.signal,
    releaseOnCancel: true,
    recorder: {
      event: (object, type, reason, message) => {
        const kind = 'kind' in object ? object.kind : '';
        reported.push(`${kind} ${type} ${reason}: ${message}`);
      },
    },
    lead: async (signal) => {
      began.resolve();
      leads = true;
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      leads = false;
    },
  });
  return { began: began.promise, leads: () => leads, reported, ended, stop: () => stopping.abort() };
}

const lease = async (name: string): Promise<Lease['spec']> =>
  (await cluster.client().resource<Lease>('coordination.k8s.io/v1', 'leases').namespace('default').get(name))
    .spec;

test('the first instance becomes the leader, and records an event about the lease', async () => {
  const clock = new ManualClock();
  const one = instance('first', 'one', clock);
  await one.began;
  expect(one.reported).toEqual(['Lease Normal LeaderElection: one became leader']);
  expect(await lease('first')).toMatchObject({ holderIdentity: 'one', leaseTransitions: 0 });

  one.stop();
  await one.ended;
  expect(one.reported.at(-1)).toBe('Lease Normal LeaderElection: one stopped leading');
  expect(await lease('first')).toMatchObject({ holderIdentity: '' });
});

test('another instance leads once the lease is given back', async () => {
  const clock = new ManualClock();
  const one = instance('handed-on', 'one', clock);
  await one.began;
  one.stop();
  await one.ended;
  const two = instance('handed-on', 'two', clock);
  await two.began;
  expect(await lease('handed-on')).toMatchObject({ holderIdentity: 'two', leaseTransitions: 1 });
  two.stop();
  await two.ended;
});

test('a leader renews without reading, and reads after somebody else has written', async () => {
  const clock = new ManualClock();
  const transport = cluster.transport();
  let methods: string[] = [];
  const client = createClient({
    transport: {
      ...transport,
      send(request) {
        methods.push(request.method);
        return transport.send(request);
      },
    },
  });
  const one = instance('renewed', 'one', clock, client);
  await one.began;
  methods = [];
  await clock.advance(2_000);
  expect(methods).toEqual(['PUT']);

  const leases = cluster.client().resource<Lease>('coordination.k8s.io/v1', 'leases').namespace('default');
  await leases.patch('renewed', { metadata: { labels: { seen: 'yes' } } }, { type: 'merge' });
  methods = [];
  await clock.advance(2_000);
  expect(methods).toEqual(['PUT', 'GET', 'PUT']);
  expect(await lease('renewed')).toMatchObject({ holderIdentity: 'one', leaseTransitions: 0 });
  one.stop();
  await one.ended;
});

test('a leader whose renewals are not answered leads no longer than its deadline', async () => {
  const clock = new ManualClock();
  let isSilent = false;
  const transport = cluster.transport();
  const client = createClient({
    transport: {
      ...transport,
      send: (request) => (isSilent ? new Promise(() => undefined) : transport.send(request)),
    },
  });
  const one = instance('silent', 'one', clock, client);
  await one.began;
  isSilent = true;
  const failure = one.ended.catch((error: Error) => error.message);
  await clock.advance(9_000);
  expect(one.leads()).toBe(true);
  await clock.advance(1_000);
  expect(one.leads()).toBe(false);
  // The lease cannot be released, either.
  await clock.advance(10_000);
  expect(await failure).toBe('leaderelection lost');
});
