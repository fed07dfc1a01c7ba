import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject } from '@coxswain/apimachinery';
import { Informer, createClient, type KubeClient } from '@coxswain/client';
import type { GuestFilters } from '@coxswain/apiserver/filters/chain.ts';
import { startCluster, type Cluster } from './cluster.ts';
import type { ClusterSnapshot } from '../storage/cluster-storage.ts';

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
const pods = { group: '', version: 'v1', resource: 'pods' };

const configMap = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
});

const web = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx' }] },
    },
  },
};

const namesOf = async (client: KubeClient, resource: typeof configMaps): Promise<string[]> => {
  const { items } = await client.resource(resource).namespace('default').list();
  return items.map(({ metadata }) => metadata.name!).filter((name) => name !== 'kube-root-ca.crt');
};

/** Watches until `count` pods of the deployment are running. */
async function runningPods(client: KubeClient, count: number): Promise<void> {
  const running = new Set<string>();
  for await (const { type, object } of client.resource(pods).namespace('default').watch()) {
    const { status } = object as { status?: { phase?: string } };
    if (type !== 'DELETED' && status?.phase === 'Running') running.add(object.metadata.name!);
    if (running.size >= count) return;
  }
}

test('a cluster on disk reverts later writes, and cannot be forked', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'coxswain-cluster-'));
  const cluster = await startCluster({ nodes: 0, controllers: [], storageDirectory: directory });
  try {
    const maps = cluster.client().resource(configMaps).namespace('default');
    const kept = await maps.create(configMap('kept', { k: '1' }));
    const snapshot = cluster.snapshot();
    await maps.update({ ...kept, data: { k: '2' } } as typeof kept);
    await maps.create(configMap('left-over'));

    await cluster.reset(snapshot);

    expect(await namesOf(cluster.client(), configMaps)).toEqual(['kept']);
    expect(await maps.get('kept')).toMatchObject({ data: { k: '1' } });
    await expect(cluster.fork()).rejects.toThrow('only in-memory clusters can be forked');
  } finally {
    await cluster.stop();
    rmSync(directory, { recursive: true });
  }
});

test('objects passed to an in-process client belong to it: the server does not see changes to them', async () => {
  const cluster = await startCluster({ nodes: 0, controllers: [] });
  try {
    const maps = cluster.client().resource<KubeObject & { data: object }>(configMaps).namespace('default');
    const made = await maps.create(configMap('mine', { k: '1' }) as KubeObject & { data: object });
    const [read, listed] = [await maps.get('mine'), (await maps.list()).items[0]!];
    for (const object of [made, read, listed]) object.data = { k: 'changed' };

    expect(await maps.get('mine')).toMatchObject({ data: { k: '1' } });
  } finally {
    await cluster.stop();
  }
});

describe('a cluster that is put back between tests', () => {
  let cluster: Cluster;
  let client: KubeClient;
  let clean: ClusterSnapshot;

  beforeAll(async () => {
    cluster = await startCluster({ nodes: 1 });
    client = cluster.client();
    clean = cluster.snapshot();
  });
  afterAll(() => cluster.stop());

  test('has nothing that was created since', async () => {
    await client.resource(configMaps).namespace('default').create(configMap('left-over'));
    expect(await namesOf(client, configMaps)).toEqual(['left-over']);

    await cluster.reset(clean);

    expect(await namesOf(client, configMaps)).toEqual([]);
  });

  test('runs the same deployment again and again, each time from nothing', async () => {
    for (let round = 0; round < 3; round++) {
      await client.resource(deployments).namespace('default').create(web);
      await runningPods(client, 2);
      await cluster.reset(clean);
      expect(await namesOf(client, pods)).toEqual([]);
    }
  });

  test('records which program wrote each field', async () => {
    await client.resource(deployments).namespace('default').create(web);
    await runningPods(client, 2);
    const managersOf = async (resource: typeof pods): Promise<ReadonlySet<string | undefined>> => {
      const { items } = await client.resource(resource).namespace('default').list();
      return new Set(
        items.flatMap((item) => item.metadata.managedFields ?? []).map(({ manager }) => manager),
      );
    };

    // The scheduler only writes to pods for which it doesn't find a node at once.
    const writers = await managersOf(pods);
    expect(new Set(['kube-controller-manager', 'kubelet']).isSubsetOf(writers)).toBe(true);
    expect(writers.isSubsetOf(new Set(['kube-controller-manager', 'kube-scheduler', 'kubelet']))).toBe(true);
    // The deployment's status may come after its pods'.
    for await (const { object } of client.resource(deployments).namespace('default').watch())
      if (object.metadata.managedFields?.some(({ manager }) => manager === 'kube-controller-manager')) break;
    await cluster.reset(clean);
  });

  test('has deleted and changed objects again', async () => {
    const maps = client.resource(configMaps).namespace('default');
    const kept = await maps.create(configMap('kept', { k: '1' }));
    await maps.create(configMap('deleted'));
    const snapshot = cluster.snapshot();
    await maps.update({ ...kept, data: { k: '2' } } as typeof kept);
    await maps.delete('deleted');

    await cluster.reset(snapshot);

    expect(await namesOf(client, configMaps)).toEqual(['deleted', 'kept']);
    expect(await maps.get('kept')).toEqual(kept);
    await cluster.reset(clean);
  });

  test('gives out no resourceVersion twice', async () => {
    const maps = client.resource(configMaps).namespace('default');
    const before = await maps.create(configMap('a'));
    await cluster.reset(clean);
    const after = await maps.create(configMap('a'));

    expect(Number(after.metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion));
    await cluster.reset(clean);
  });

  test('forgets permissions that were given since', async () => {
    const bob = cluster.client({ name: 'bob', groups: ['system:authenticated'] });
    await client.resource('rbac.authorization.k8s.io/v1', 'clusterrolebindings').create({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'bob' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }],
    } as KubeObject);
    // The rules of the role are first aggregated from other roles.
    await expect.poll(() => namesOf(bob, configMaps)).toEqual([]);

    await cluster.reset(clean);

    await expect(namesOf(bob, configMaps)).rejects.toMatchObject({ code: 403 });
  });

  test('notifies informers in its process of the changes by a reset, without listing again', async () => {
    const maps = client.resource(configMaps).namespace('default');
    await maps.create(configMap('kept', { k: '1' }));
    const snapshot = cluster.snapshot();
    const stopping = new AbortController();
    let lists = 0;
    const transport = cluster.transport();
    const counted = {
      ...transport,
      send: (request: Parameters<typeof transport.send>[0]) => {
        if (!request.path.includes('watch=')) lists++;
        return transport.send(request);
      },
    };
    const informer = new Informer({ resource: createClient({ transport: counted }).resource(configMaps) });
    const seen: string[] = [];
    const note = (what: string, object: KubeObject) => {
      if (object.metadata.namespace === 'default') seen.push(`${what} ${object.metadata.name}`);
    };
    const running = informer.run(stopping.signal);
    await informer.synced;
    informer.addHandler({
      added: (object, initial) => !initial && note('added', object),
      updated: (_, object) => note('updated', object),
      deleted: (object) => note('deleted', object),
    });
    await maps.delete('kept');
    const { metadata } = await maps.create(configMap('left-over'));
    await informer.reached(Number(metadata.resourceVersion));

    await cluster.reset(snapshot);
    const last = await maps.create(configMap('last'));
    await informer.reached(Number(last.metadata.resourceVersion));

    expect(seen).toEqual([
      'deleted kept',
      'added left-over',
      'added kept',
      'deleted left-over',
      'added last',
    ]);
    expect(lists).toBe(1);
    stopping.abort();
    await running;
    await cluster.reset(clean);
  });

  test('ends the watches of before with 410', async () => {
    const watch = client
      .resource(configMaps)
      .namespace('default')
      .watch({ resourceVersion: String(clean.revision) });
    const ended = (async () => {
      for await (const _ of watch);
    })();
    const expectation = expect(ended).rejects.toMatchObject({ code: 410, reason: 'Expired' });
    await client.resource(configMaps).namespace('default').create(configMap('a'));

    await cluster.reset(clean);

    await expectation;
  });

  test('can be forked: both go their own way', async () => {
    await client.resource(configMaps).namespace('default').create(configMap('shared'));
    const fork = await cluster.fork();
    try {
      await fork.client().resource(configMaps).namespace('default').create(configMap('only-there'));
      await client.resource(configMaps).namespace('default').create(configMap('only-here'));

      expect(await namesOf(fork.client(), configMaps)).toEqual(['only-there', 'shared']);
      expect(await namesOf(client, configMaps)).toEqual(['only-here', 'shared']);
    } finally {
      await fork.stop();
    }
    await cluster.reset(clean);
  });
});

test('a filter that is missing among the guests is an error, not a start that never ends', async () => {
  const guests = () =>
    ({ outermost: { step: 'see', handle: (request, next) => next(request) } }) as GuestFilters;
  await expect(startCluster({ nodes: 0, controllers: [], guests })).rejects.toThrow(
    'guests must have a filter innermost',
  );
});
