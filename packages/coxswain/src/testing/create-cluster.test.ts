import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { KubeObject } from '@coxswain/apimachinery';
import { createCluster } from './create-cluster.ts';
import { configMap, configMaps, pods, web } from './fixtures.ts';
import type { TestCluster } from './test-cluster.ts';
import { assertEventuallyHas } from './matchers/assertions.ts';
import { withCluster } from './with-cluster.ts';

/** Hours of virtual time pass in these tests, possibly on busy machines. */
vi.setConfig({ testTimeout: 30_000 });

interface PodLike extends KubeObject {
  readonly status?: { readonly phase?: string };
}

const phases = async ({ client }: TestCluster): Promise<readonly (string | undefined)[]> => {
  const { items } = await client.resource<PodLike>(pods).namespace('default').list();
  return items.map(({ status }) => status?.phase);
};

describe('a cluster that is put back between tests', () => {
  let cluster: TestCluster;

  beforeAll(async () => {
    cluster = await createCluster({ nodes: 2, seed: 1 });
  });
  beforeEach(() => cluster.reset());
  afterAll(() => cluster.stop());

  test('runs applied workloads, and idle resolves when they are running', async () => {
    await cluster.apply(web(3));
    await cluster.idle();

    expect(await phases(cluster)).toEqual(['Running', 'Running', 'Running']);
  });

  test('time stands still until it is advanced', async () => {
    const before = cluster.clock.now();
    await cluster.apply({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'hourly' },
      spec: {
        schedule: '0 * * * *',
        successfulJobsHistoryLimit: 10,
        jobTemplate: {
          spec: {
            template: {
              spec: {
                restartPolicy: 'Never',
                containers: [{ name: 'c', image: 'busybox', command: ['true'] }],
              },
            },
          },
        },
      },
    });
    await cluster.idle();
    expect(cluster.clock.now() - before).toBeLessThan(5_000);

    await cluster.clock.advance('3h');
    await cluster.idle();

    expect((await cluster.client.resource('batch/v1', 'jobs').list()).items).toHaveLength(3);
    expect(await phases(cluster)).toEqual(['Succeeded', 'Succeeded', 'Succeeded']);
  });

  test('is seen by others with their rights only', async () => {
    await cluster.apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: alice-views }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: alice }]
`);
    const alice = cluster.as('alice');

    await expect(alice.client.resource(configMaps).namespace('default').list()).resolves.toBeDefined();
    await expect(alice.apply(configMap('a'))).rejects.toMatchObject({ code: 403 });
    await expect(cluster.as('bob').client.resource(configMaps).list()).rejects.toMatchObject({ code: 403 });
  });

  test('takes a definition and its first object in one text', async () => {
    const [, boat] = await cluster.apply(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: boats.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: boats, singular: boat, kind: Boat, listKind: BoatList }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { seats: { type: integer, default: 8 } } } } } }
---
apiVersion: example.com/v1
kind: Boat
metadata: { name: eight }
spec: {}
`);
    expect(boat).toMatchObject({ metadata: { name: 'eight', namespace: 'default' }, spec: { seats: 8 } });
  });

  test('reports what is wrong with a manifest', async () => {
    await expect(cluster.apply({ kind: 'Pod' })).rejects.toThrow('apiVersion and kind are required');
    await expect(cluster.apply({ apiVersion: 'v1', kind: 'Pod' })).rejects.toThrow(
      'Pod requires metadata.name',
    );
    await expect(
      cluster.apply({ apiVersion: 'example.com/v1', kind: 'Nothing', metadata: { name: 'a' } }),
    ).rejects.toThrow('no matches for kind "Nothing"');
  });

  test('records who asked for what', async () => {
    await cluster.apply(web(2));
    await cluster.idle();

    const creations = cluster.requests({ verb: 'create', resource: 'pods' });

    expect(creations).toHaveLength(2);
    expect(creations[0]).toMatchObject({
      user: 'system:serviceaccount:kube-system:replicaset-controller',
      namespace: 'default',
      status: 201,
      body: { spec: { containers: [{ image: 'nginx' }] } },
    });
    expect(cluster.requests({ resource: 'deployments.apps', user: 'kubernetes-admin' })).toMatchObject([
      { verb: 'patch', name: 'web' },
    ]);
  });

  test('loses a node, whose pods are evicted, and finds it again', async () => {
    await cluster.apply(web(2));
    await cluster.idle();
    await cluster.nodes.fail('node-0');

    await cluster.clock.advance('10m');
    await cluster.idle();

    const { items } = await cluster.client.resource(pods).namespace('default').list({
      fieldSelector: 'spec.nodeName=node-1,status.phase=Running',
    });
    expect(items).toHaveLength(2);

    await cluster.nodes.recover('node-0');
    await cluster.clock.advance('2m');
    await cluster.idle();
    const { items: all } = await cluster.client.resource(pods).namespace('default').list();
    expect(all).toHaveLength(2);
  });

  test('continues without a controller, which catches up when it is restarted', async () => {
    await cluster.components.stop('deployment-controller');
    await cluster.apply(web(1));
    await cluster.idle();
    expect(await phases(cluster)).toEqual([]);

    await cluster.components.start('deployment-controller');
    await cluster.idle();
    expect(await phases(cluster)).toEqual(['Running']);
  });

  test('can be forked: both go their own way', async () => {
    await cluster.apply(configMap('shared'));
    const fork = await cluster.fork();
    try {
      await fork.apply(configMap('only-there'));
      await cluster.apply(configMap('only-here'));
      const names = async ({ client }: TestCluster) =>
        (await client.resource(configMaps).namespace('default').list()).items.map(
          ({ metadata }) => metadata.name,
        );

      expect(await names(fork)).toEqual(expect.arrayContaining(['only-there', 'shared']));
      expect(await names(fork)).not.toContain('only-here');
    } finally {
      await fork.stop();
    }
  });

  test('opens a port when a kubeconfig is requested', async () => {
    const config = JSON.parse(await cluster.as('carol').kubeconfig()) as {
      clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }];
      users: [{ name: string; user: { token: string } }];
    };

    expect(config.clusters[0].cluster.server).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(config.users[0].name).toBe('carol');
  });
});

test(
  'has only the controllers that are asked for',
  withCluster(
    async (cluster) => {
      await cluster.apply(web(1));
      await cluster.idle();
      expect((await cluster.client.resource('apps/v1', 'replicasets').list()).items).toHaveLength(1);
      expect(await phases(cluster)).toEqual([]);
    },
    { controllers: ['deployment-controller'], nodes: 0 },
  ),
);

test(
  'serves the versions that are asked for',
  withCluster(
    async (cluster) => {
      const { items } = await cluster.client.resource('batch/v1beta1', 'cronjobs').list();
      expect(items).toEqual([]);
    },
    { versions: { 'api/legacy': true }, controllers: false, nodes: 0 },
  ),
);

test('runs on the clock of the machine when asked to', async () => {
  const cluster = await createCluster({ clock: 'system' });
  try {
    await cluster.apply(web(1));
    await cluster.idle();
    expect(await phases(cluster)).toEqual(['Running']);
    await expect(cluster.clock.advance('1s')).rejects.toThrow('only a virtual clock can be advanced');
  } finally {
    await cluster.stop();
  }
});

test('options that cannot be meant are refused, with what could be', async () => {
  const refusal = (options: object) => expect(createCluster(options)).rejects;

  await refusal({ nodez: 3 }).toThrow('no option "nodez": must be one of controllers, nodes');
  await refusal({ seed: 'x' }).toThrow('seed must be a whole number');
  await refusal({ startTime: 'yesterday' }).toThrow('not "yesterday"');
  await refusal({ clock: 'fast' }).toThrow('"virtual" or "system", not "fast"');
  await refusal({ nodes: -1 }).toThrow('not -1');
  await refusal({ controllers: ['no-such'] }).toThrow('"no-such" is not in the list of known controllers');
});

test('nodes need not say all of themselves', async () => {
  const cluster = await createCluster({ nodes: [{ name: 'big', labels: { size: 'big' } }, {}], seed: 1 });

  expect(cluster.nodes.names).toEqual(['big', 'node-1']);
  await expect(cluster.clock.advance(-1)).rejects.toThrow('the clock cannot go back');
  await cluster.stop();
});

test('a failure names the seed that reproduces it', async () => {
  const failing = withCluster(
    () => {
      throw new Error('broken');
    },
    { seed: 42, controllers: false, nodes: 0 },
  );
  await expect(failing()).rejects.toThrow('broken (COXSWAIN_SEED=42 replays it)');
});

test('one seed gives one history, byte for byte, and another seed another one', async () => {
  const historyOf = async (seed: number): Promise<string> => {
    const cluster = await createCluster({ seed, nodes: 3 });
    await cluster.apply(web(5));
    await cluster.idle();
    await cluster.nodes.fail('node-1');
    await cluster.clock.advance('10m');
    const digest = await cluster.history.digest();
    await cluster.stop();
    return digest;
  };
  const first = await historyOf(7);

  expect(await historyOf(7)).toBe(first);
  expect(await historyOf(8)).not.toBe(first);
});

test('the address of the machine, which it may not have, is no part of a history', async () => {
  await using cluster = await createCluster({ nodes: 1 });
  const endpoints = cluster.client.resource('v1', 'endpoints').namespace('default');
  expect(await endpoints.get('kubernetes')).toMatchObject({
    subsets: [{ addresses: [{ ip: '192.0.2.1' }] }],
  });
});

test('a cluster without an API group starts, and does what is possible', { timeout: 30_000 }, async () => {
  const cluster = await createCluster({ versions: { 'batch/v1': false, 'resource.k8s.io/v1': false } });
  await cluster.apply(web(1));
  await cluster.idle();

  expect(await phases(cluster)).toEqual(['Running']);
  await cluster.reset();
  await cluster.stop();
});

test('no uid is given out twice, in a fork, with the seed of beginnings, and after a reset', async () => {
  const uids = async ({ client }: TestCluster) => {
    const kinds = [
      ...['namespaces', 'pods', 'serviceaccounts', 'configmaps', 'nodes'].map(
        (name) => ['v1', name] as const,
      ),
      ['apps/v1', 'deployments'] as const,
      ['apps/v1', 'replicasets'] as const,
    ];
    const lists = await Promise.all(kinds.map(([version, name]) => client.resource(version, name).list()));
    return lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.uid));
  };
  await using cluster = await createCluster({ seed: 0 });
  await cluster.apply(web(2));
  await cluster.idle();
  await using fork = await cluster.fork();
  await using forkOfFork = await fork.fork();
  for (const one of [cluster, fork, forkOfFork]) {
    await one.apply(web(2).replaceAll('web', 'other'));
    await one.idle();
    const known = await uids(one);

    expect(new Set(known).size).toBe(known.length);
  }
});

test('returns the logs of containers', async () => {
  await using cluster = await createCluster({ seed: 1 });
  const containers = [
    { name: 'c', image: 'busybox', command: ['sh', '-c', 'echo one; echo two; sleep 1000'] },
  ];
  await cluster.apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'talks' }, spec: { containers } });
  await cluster.idle();

  expect(await cluster.logs('pod/talks')).toBe('one\ntwo\n');
  expect(await cluster.logs('default/talks', { container: 'c', tailLines: 1 })).toBe('two\n');
  await expect(cluster.logs('nobody')).rejects.toThrow('pods "nobody" not found');
  await expect(cluster.as('bob').logs('talks')).rejects.toMatchObject({ code: 403 });
});

test('objects without a namespace are in the default one of the cluster', async () => {
  const cluster = await createCluster({ namespace: 'team', seed: 1 });
  await cluster.apply([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
    { ...configMap('a'), metadata: { name: 'a' } },
  ]);

  await assertEventuallyHas(cluster, 'configmap/a', { metadata: { namespace: 'team' } });
  await cluster.stop();
});
