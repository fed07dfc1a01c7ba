/** Informers behind a proxy that makes every fault there is: afterwards they know what the server has, and told it once. */
import { ManualClock, readYaml, seededRandom, type KubeObject } from '@coxswain/apimachinery';
import { Informer, type KubeClient, type Kubeconfig } from '@coxswain/client';
import { connect } from '@coxswain/client/node.ts';
import { createCluster, type TestCluster } from 'coxswain/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CertificateAuthority } from '../attack/certificate-authority.ts';
import { EventLedger, stateOf } from './event-ledger.ts';
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts';

let cluster: TestCluster;
let upstream: KubeClient;
let authority: CertificateAuthority;
let namespaces = 0;

beforeAll(async () => {
  cluster = await createCluster({ clock: 'system', controllers: false, nodes: 0, scheduler: false });
  upstream = connect(readYaml(await cluster.kubeconfig()) as Kubeconfig);
  authority = await CertificateAuthority.create('faults');
}, 60_000);
afterAll(async () => {
  await upstream.close();
  await cluster.stop();
});

interface FaultCase {
  readonly name: string;
  begin(proxy: FaultProxy): void | Promise<void>;
  end?(proxy: FaultProxy): void | Promise<void>;
  /** The past was lost with it: only the result can be known of what happened meanwhile. */
  readonly losesThePast?: boolean;
}

const newCertificate = async (proxy: FaultProxy) =>
  proxy.present(await authority.issue({ name: 'CN=server.test', usage: 'server' }));

const faults: readonly FaultCase[] = [
  { name: 'connections that break', begin: (proxy) => proxy.drop() },
  { name: 'connections that go deaf without a word', begin: (proxy) => proxy.goDeaf() },
  { name: 'answers that dry up on living connections', begin: (proxy) => proxy.stall() },
  {
    name: 'a server that is gone for a while',
    begin: (proxy) => proxy.refuse(true),
    end: (proxy) => proxy.refuse(false),
  },
  {
    name: 'a watch that is told in an event that its past is gone',
    begin: (proxy) => proxy.expireWatches(),
    losesThePast: true,
  },
  {
    name: 'watches that are refused with 410, several in a row',
    begin(proxy) {
      proxy.answerWith({ status: 410, watches: true, times: 3 });
      proxy.drop();
    },
    losesThePast: true,
  },
  {
    name: 'requests that are refused with 429',
    begin(proxy) {
      proxy.answerWith({ status: 429, times: 4 });
      proxy.drop();
    },
  },
  {
    name: 'requests that fail with 500',
    begin(proxy) {
      proxy.answerWith({ status: 500, times: 4 });
      proxy.drop();
    },
  },
  { name: 'a server that comes back with another certificate', begin: newCertificate },
];

for (const http2 of [true, false]) {
  describe(http2 ? 'over HTTP/2' : 'over HTTP/1.1', () => {
    for (const fault of faults) {
      test(`survives ${fault.name}`, () => survives(fault, http2), 60_000);
    }
  });
}

test('a first list that fails in every way is made until it succeeds', async () => {
  await using set = await setUp(true);
  await set.write(3);
  set.proxy.answerWith({ status: 500, times: 2 });
  set.proxy.answerWith({ status: 429, times: 2 });
  set.proxy.answerWith({ status: 410, times: 1 });
  set.start();
  await set.until(() => set.informer.hasSynced);

  expect(set.informer.lister.size).toBe(3);
}, 60_000);

test('who cannot keep up says so once, with its age and the reason, and says when it can again', async () => {
  await using set = await setUp(true);
  const said: string[] = [];
  set.informer.onStale(
    ({ ageMs, error }) => said.push(`stale ${ageMs >= 120_000} ${error instanceof Error}`),
    () => said.push('fresh'),
  );
  set.start();
  await set.until(() => set.informer.hasSynced);
  set.proxy.refuse(true);
  await set.until(() => set.informer.staleness.ageMs > 200_000);
  set.proxy.refuse(false);
  await set.until(() => said.includes('fresh'));

  expect(said).toEqual(['stale true true', 'fresh']);
  expect(set.informer.staleness.ageMs).toBeLessThan(120_000);
}, 60_000);

async function survives(fault: FaultCase, http2: boolean): Promise<void> {
  await using set = await setUp(http2);
  await set.write(5);
  set.start();
  await set.until(() => set.informer.hasSynced);
  const before = await set.write(3);
  await set.until(() => set.isInStep());

  await fault.begin(set.proxy);
  const during = await set.write(6);
  await set.remove();
  await fault.end?.(set.proxy);
  await set.until(() => set.isInStep());
  const after = await set.write(4);
  await set.until(() => set.isInStep());

  expect(set.ledger.wrong).toEqual([]);
  expect(set.ledger.present).toEqual(set.stored());
  const mustBeReported = fault.losesThePast === true ? before : [...before, ...during, ...after];
  expect(mustBeReported.filter((state) => !set.ledger.reported.includes(state))).toEqual([]);
}

/** An informer behind a proxy, in a namespace of its own, and somebody who writes there past the proxy. */
async function setUp(http2: boolean) {
  const namespace = `faults-${namespaces++}`;
  await cluster.client.resource('v1', 'namespaces').create({ metadata: { name: namespace } });
  const maps = cluster.client.resource('v1', 'configmaps').namespace(namespace);
  const identity = await authority.issue({ name: 'CN=server.test', usage: 'server' });
  const proxy = await startFaultProxy({ to: upstream.rest.transport, identity, http2 });
  const clock = new ManualClock();
  const client = connect(
    {
      'current-context': 'x',
      contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
      clusters: [{ name: 'x', cluster: clusterOf(proxy.url) }],
      users: [{ name: 'x', user: {} }],
    },
    { clock },
  );
  const ledger = new EventLedger();
  const informer = new Informer<KubeObject>({
    resource: client.resource('v1', 'configmaps').namespace(namespace),
    clock,
    random: seededRandom(namespaces),
  });
  informer.addHandler(ledger.handler);
  const stopping = new AbortController();
  const newest = new Map<string, KubeObject>();
  let running: Promise<void> | undefined;
  let count = 0;
  const stored = () => [...newest.values()].map(stateOf).sort();
  return {
    proxy,
    informer,
    ledger,
    stored,
    start: () => void (running = informer.run(stopping.signal)),
    isInStep: () => informer.lister.list().map(stateOf).sort().join() === stored().join(),
    /** Creates so many objects and changes each; the states that they were in. */
    async write(howMany: number): Promise<string[]> {
      const states: string[] = [];
      for (let index = 0; index < howMany; index++) {
        const name = `map-${count++}`;
        const created = await maps.create({ metadata: { name } });
        const changed = await maps.patch(name, { data: { changed: 'yes' } }, { type: 'merge' });
        newest.set(name, changed);
        states.push(stateOf(created), stateOf(changed));
      }
      return states;
    },
    /** Removes one object, and makes another one anew under its name. */
    async remove(): Promise<void> {
      const [first, second] = [...newest.keys()] as [string, string];
      await maps.delete(first);
      newest.delete(first);
      await maps.delete(second);
      newest.set(second, await maps.create({ metadata: { name: second } }));
    },
    /** Lets the client's time pass until it holds: a quarter of a second for every turn of the real one. */
    async until(holds: () => boolean): Promise<void> {
      for (let turn = 0; turn < 8_000; turn++) {
        if (holds()) return;
        await clock.advance(250);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      throw new Error('it did not come to hold');
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await proxy.close();
      await client.close();
      await running;
    },
  };
}

const clusterOf = (server: string) => ({
  server,
  'tls-server-name': 'server.test',
  'certificate-authority-data': Buffer.from(authority.pem).toString('base64'),
});
