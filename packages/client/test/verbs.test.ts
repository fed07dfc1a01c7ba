/**
 * Every verb, in process and over HTTPS, and on any other server: `CLIENT_KUBECONFIG=FILE npm test --
 * packages/client/test/verbs`.
 */
import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { Deployment } from '@coxswain/api/apps/v1/deployment.ts';
import { readYaml } from '@coxswain/apimachinery';
import { Informer, type KubeClient, type Kubeconfig } from '@coxswain/client';
import { connect, loadKubeconfig } from '@coxswain/client/node.ts';
import { protobufBodies } from '@coxswain/client/protobuf.ts';
import { createCluster, type TestCluster } from 'coxswain/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await createCluster({ clock: 'system', controllers: ['namespace-controller'], nodes: 0 });
});
afterAll(() => cluster.stop());

const elsewhere = process.env['CLIENT_KUBECONFIG'];
const servers: Readonly<Record<string, () => Promise<KubeClient>>> = {
  'in one process': async () => cluster.client,
  'over HTTPS': async () => connect(readYaml(await cluster.kubeconfig()) as Kubeconfig),
  'in protobuf': async () =>
    connect(readYaml(await cluster.kubeconfig()) as Kubeconfig, { bodies: protobufBodies }),
  ...(elsewhere === undefined
    ? {}
    : {
        'on another server': async () => connect(loadKubeconfig({ file: elsewhere })),
        'on another server, in protobuf': async () =>
          connect(loadKubeconfig({ file: elsewhere }), { bodies: protobufBodies }),
      }),
};

for (const [where, open] of Object.entries(servers)) {
  describe(where, () => {
    const namespace = `client-verbs-${Math.trunc(performance.now() * 1000) % 100_000}`;
    let client: KubeClient;
    beforeAll(async () => {
      client = await open();
      await client.resource('v1', 'namespaces').create({ metadata: { name: namespace } });
    });
    afterAll(async () => {
      await client.resource('v1', 'namespaces').delete(namespace);
      if (client !== cluster.client) await client.close();
    });
    const maps = () => client.of(ConfigMap).namespace(namespace);
    const create = (name: string, labels: Record<string, string> = {}) =>
      maps().create({ metadata: { name, labels }, data: { a: '1' } });

    test('create, get, update; a stale update is refused', async () => {
      const created = await create('one');
      expect(await maps().get('one')).toEqual(created);
      const updated = await maps().update({ ...created, data: { a: '2' } });
      expect(updated.data).toEqual({ a: '2' });
      await expect(maps().update(created)).rejects.toMatchObject({ code: 409, reason: 'Conflict' });
      await expect(create('one')).rejects.toMatchObject({ reason: 'AlreadyExists' });
      const named = await maps().create({ metadata: { generateName: 'some-' } });
      expect(named.metadata.name).toMatch(/^some-/);
    }, 60_000);

    test('patches of all four kinds', async () => {
      await create('patched');
      const json = [{ op: 'replace', path: '/data/a', value: '2' }];
      expect((await maps().patch('patched', json, { type: 'json' })).data).toEqual({ a: '2' });
      expect((await maps().patch('patched', { data: { b: '3' } }, { type: 'merge' })).data).toEqual({
        a: '2',
        b: '3',
      });
      expect((await maps().patch('patched', { data: { b: null } })).data).toEqual({ a: '2' });
      const applied = { metadata: { name: 'patched' }, data: { c: '4' } };
      expect((await maps().apply(applied, { fieldManager: 'test' })).data).toEqual({ a: '2', c: '4' });
    }, 60_000);

    test('lists by label, by field and in pages; metadata alone', async () => {
      for (const name of ['l1', 'l2', 'l3']) await create(name, { set: 'lists' });
      const selected = await maps().list({ labelSelector: 'set=lists', fieldSelector: 'metadata.name!=l2' });
      expect(selected.items.map(({ metadata }) => metadata.name)).toEqual(['l1', 'l3']);
      const names: string[] = [];
      for await (const { metadata } of maps().items({ labelSelector: 'set=lists', limit: 1 }))
        names.push(metadata.name ?? '');
      expect(names).toEqual(['l1', 'l2', 'l3']);
      const metadata = await maps().metadataOnly().get('l1');
      expect(metadata.metadata.labels).toEqual({ set: 'lists' });
    }, 60_000);

    test('a list continues where it stopped when its revision is compacted', async () => {
      for (const name of ['p1', 'p2', 'p3']) await create(name, { set: 'pages' });
      const old = btoa(JSON.stringify({ v: 'meta.k8s.io/v1', rv: -1, start: 'p1\u0000' })).replaceAll(
        '=',
        '',
      );
      const names: string[] = [];
      const options = { labelSelector: 'set=pages', limit: 1, continue: old };
      for await (const { metadata } of maps().items(options)) names.push(metadata.name ?? '');
      expect(names).toEqual(['p2', 'p3']);
    }, 60_000);

    test('a watch reports additions, changes and deletions', async () => {
      const { metadata } = await maps().list();
      const stop = new AbortController();
      const events: string[] = [];
      const watching = (async () => {
        const options = {
          resourceVersion: metadata.resourceVersion ?? '',
          fieldSelector: 'metadata.name=w',
          signal: stop.signal,
        };
        for await (const { type } of maps().watch(options)) if (events.push(type) === 3) return;
      })();
      await create('w');
      await maps().patch('w', { data: { a: '2' } }, { type: 'merge' });
      await maps().delete('w');
      await watching;
      stop.abort();
      expect(events).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    }, 60_000);

    for (const watchList of [false, true]) {
      test(`an informer follows ${watchList ? 'a watch that begins with all objects' : 'a list and a watch'}`, async () => {
        await create(`i-${watchList}`);
        const stop = new AbortController();
        const informer = new Informer({ resource: maps(), watchList });
        const running = informer.run(stop.signal);
        await informer.synced;
        expect(informer.lister.get(`i-${watchList}`, namespace)?.data).toEqual({ a: '1' });
        const { metadata } = await create(`j-${watchList}`);
        await informer.reached(Number(metadata.resourceVersion));
        expect(informer.lister.get(`j-${watchList}`, namespace)).toBeDefined();
        expect(informer.staleness.ageMs).toBeLessThan(60_000);
        stop.abort();
        await running;
      }, 60_000);
    }

    test('subresources: status and scale', async () => {
      const deployments = client.of(Deployment).namespace(namespace);
      const labels = { app: 'web' };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };
      const created = await deployments.create({
        metadata: { name: 'web' },
        spec: { replicas: 0, selector: { matchLabels: labels }, template },
      });
      const status = await deployments.updateStatus({
        ...created,
        status: { ...created.status, observedGeneration: 1 },
      });
      expect(status.status?.observedGeneration).toBe(1);
      const scaled = await deployments.patch(
        'web',
        { spec: { replicas: 2 } },
        { type: 'merge', subresource: 'scale' },
      );
      expect(scaled).toMatchObject({ kind: 'Scale', spec: { replicas: 2 } });
    }, 60_000);

    test('a dry run changes nothing', async () => {
      await maps().create({ metadata: { name: 'dry' } }, { dryRun: true });
      await expect(maps().get('dry')).rejects.toMatchObject({ reason: 'NotFound' });
    }, 60_000);

    test('deletions, with what must hold, singly and all that are selected', async () => {
      await create('gone', { set: 'gone' });
      await create('gone-too', { set: 'gone' });
      const wrong = maps().delete('gone', { preconditions: { uid: 'another' } });
      await expect(wrong).rejects.toMatchObject({ reason: 'Conflict' });
      await maps().delete('gone', { propagationPolicy: 'Background' });
      await maps().deleteCollection({}, { labelSelector: 'set=gone' });
      expect((await maps().list({ labelSelector: 'set=gone' })).items).toEqual([]);
    }, 60_000);

    test('discovery, and apply of a kind that it finds', async () => {
      const { resources } = await client.discovery.discover();
      expect(resources.find(({ kind }) => kind === 'Deployment')).toMatchObject({
        resource: 'deployments',
        namespaced: true,
      });
      const object = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'any', namespace },
        data: { x: 'y' },
      };
      expect((await client.apply(object, { fieldManager: 'test' })).data).toEqual({ x: 'y' });
    }, 60_000);

    test('a refused request has code, reason and details', async () => {
      const refused = maps().create({ metadata: { name: 'No Name' } });
      await expect(refused).rejects.toMatchObject({
        code: 422,
        reason: 'Invalid',
        status: { details: { kind: 'ConfigMap' } },
      });
    }, 60_000);
  });
}
