/**
 * The original's API server and ours on one etcd. Runs where `ORIGINAL_BIN` names a directory with the original's
 * programs: `kube-apiserver` and `etcd`. `ROUNDTRIP_FIXTURES` names a directory with the original's test data, one
 * object of each kind as `.pb` and `.json`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EtcdStorage } from '@coxswain/storage/etcd/etcd-storage.ts';
import { groups } from '@coxswain/kube-apiserver/groups/groups.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiServer, Etcd, until } from './servers.ts';

const directory = process.env.ORIGINAL_BIN;
const fixtures = process.env.ROUNDTRIP_FIXTURES;
const etcdBinary = process.env.ETCD_BIN ?? (directory && join(directory, 'etcd'));

/**
 * Here the test data is what no server ever stores, and what the original completes when it reads it: fields that
 * say one thing twice and differ (`serviceAccount`, `podCIDR`, `podIP`), `stringData`, requests that lack what is
 * limited, labels and annotations that every write adds. They are compared as they are written.
 */
const readOtherwise = new Set([
  'core.v1.Namespace',
  'core.v1.Node',
  'core.v1.Pod',
  'core.v1.PodTemplate',
  'core.v1.ReplicationController',
  'core.v1.Secret',
  'apps.v1.DaemonSet',
  'apps.v1.Deployment',
  'apps.v1.ReplicaSet',
  'apps.v1.StatefulSet',
  'batch.v1.CronJob',
  'batch.v1.Job',
]);

const template = {
  metadata: { labels: { a: 'b' } },
  spec: {
    serviceAccountName: 'one',
    containers: [
      { name: 'c', image: 'i', resources: { requests: { cpu: '0.5' }, limits: { cpu: 1, memory: '1Gi' } } },
    ],
  },
};
const once = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
const selector = { matchLabels: { a: 'b' } };

let etcd: Etcd;
let original: ApiServer;
let ours: ApiServer;
let storage: EtcdStorage;

describe.runIf(directory && existsSync(join(directory, 'kube-apiserver')))('two servers on one etcd', () => {
  beforeAll(async () => {
    etcd = await Etcd.start(etcdBinary!);
    storage = new EtcdStorage({ endpoints: [etcd.url] });
    const flags = ['--runtime-config=api/all=true'];
    const binary = join(directory!, 'kube-apiserver');
    [original, ours] = await Promise.all([
      ApiServer.start({ etcd: [etcd.url], binary, address: '192.0.2.11', flags }),
      ApiServer.start({ etcd: [etcd.url], address: '192.0.2.12', flags }),
    ]);
    // No controller makes it here, and pods need it.
    await original.send('POST', '/api/v1/namespaces/default/serviceaccounts', {
      metadata: { name: 'default' },
    });
  }, 120_000);
  afterAll(async () => {
    await Promise.all([original?.stop(), ours?.stop()]);
    await storage?.close();
    await etcd?.stop();
  }, 60_000);

  const resources = groups.flatMap((group) => group.resources.map((resource) => ({ group, resource })));
  const cases = resources.flatMap(({ group, resource }) => {
    const { kind, prefix } = resource;
    const name = `${kind.group.split('.')[0] === '' ? 'core' : kind.group}.${kind.version}.${kind.kind}`;
    const isThere = fixtures !== undefined && existsSync(join(fixtures, `${name}.pb`));
    const isCompared = isThere && group.name === kind.group && !readOtherwise.has(name);
    return isCompared ? [{ name, kind, prefix }] : [];
  });

  test.for(cases)('$name is read alike, from protobuf and from JSON', async ({ name, kind, prefix }) => {
    const scope = kind.names!.namespaced ? 'namespaceValue/' : '';
    const key = `/registry/${prefix}/${scope}nameValue`;
    const root = kind.group === '' ? '/api/v1' : `/apis/${kind.group}/${kind.version}`;
    const namespace = kind.names!.namespaced ? '/namespaces/namespaceValue' : '';
    const path = `${root}${namespace}/${kind.names!.plural}/nameValue`;
    for (const form of ['pb', 'json']) {
      const value = readFileSync(join(fixtures!, `${name}.${form}`));
      await storage.update(key, () => ({ kind: 'put', value }));
      const [one, other] = await Promise.all([original.send('GET', path), ours.send('GET', path)]);
      if (one.status === 404 && one.json?.details === undefined) return;
      expect(`${form} ${other.status} ${other.text}`).toBe(`${form} ${one.status} ${one.text}`);
    }
    await storage.update(key, () => ({ kind: 'delete' }));
  });

  const writers = () => [['original', original, ours] as const, ['ours', ours, original] as const];

  const samples: readonly (readonly [string, Record<string, unknown>])[] = [
    ['/api/v1/namespaces/default/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'ä' } }],
    ['/api/v1/namespaces/default/secrets', { apiVersion: 'v1', kind: 'Secret', data: { a: 'AAH/' } }],
    [
      '/apis/coordination.k8s.io/v1/namespaces/default/leases',
      {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        spec: { holderIdentity: 'a', leaseDurationSeconds: 5 },
      },
    ],
    [
      '/apis/apps/v1/namespaces/default/deployments',
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        spec: { selector, template },
      },
    ],
    ...['ReplicaSet', 'DaemonSet', 'StatefulSet'].map(
      (kind) =>
        [
          `/apis/apps/v1/namespaces/default/${kind.toLowerCase()}s`,
          {
            apiVersion: 'apps/v1',
            kind,
            spec: {
              selector,
              template,
              ...(kind === 'StatefulSet' && {
                serviceName: 'a',
                volumeClaimTemplates: [
                  {
                    metadata: { name: 'v' },
                    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
                  },
                ],
              }),
            },
          },
        ] as const,
    ),
    [
      '/api/v1/namespaces/default/replicationcontrollers',
      { apiVersion: 'v1', kind: 'ReplicationController', spec: { selector: { a: 'b' }, template } },
    ],
    ['/api/v1/namespaces/default/podtemplates', { apiVersion: 'v1', kind: 'PodTemplate', template }],
    [
      '/api/v1/namespaces/default/pods',
      { apiVersion: 'v1', kind: 'Pod', spec: { ...template.spec, serviceAccountName: 'default' } },
    ],
    ['/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', spec: { podCIDR: '10.1.0.0/24' } }],
    [
      '/apis/batch/v1/namespaces/default/jobs',
      { apiVersion: 'batch/v1', kind: 'Job', spec: { template: once } },
    ],
    [
      '/apis/batch/v1/namespaces/default/cronjobs',
      {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        spec: { schedule: '* * * * *', jobTemplate: { spec: { template: once } } },
      },
    ],
    [
      '/api/v1/namespaces/default/services',
      { apiVersion: 'v1', kind: 'Service', spec: { type: 'NodePort', ports: [{ port: 80 }] } },
    ],
    [
      '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
      {
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'a', apiVersion: 'apps/v1' } },
      },
    ],
    [
      '/apis/rbac.authorization.k8s.io/v1/clusterroles',
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
      },
    ],
  ];

  test.for(samples)(
    '%s: what one writes the other sees, changes and deletes',
    { timeout: 20_000 },
    async ([path, sample]) => {
      for (const [by, writer, reader] of writers()) {
        const name = `one-etcd-${by}`;
        const start = (await reader.send('GET', path)).json.metadata.resourceVersion;
        const seen = reader.watch(
          `${path}?watch=true&resourceVersion=${start}&fieldSelector=metadata.name%3D${name}`,
          ({ type }) => type === 'DELETED',
        );
        const created = await writer.send('POST', path, { ...sample, metadata: { name } });
        expect(created.status, created.text).toBe(201);
        const read = await reader.send('GET', `${path}/${name}`);
        expect(read.json).toEqual(created.json);
        const labelled = await reader.send(
          'PATCH',
          `${path}/${name}`,
          { metadata: { labels: { by: 'the-other' } } },
          'application/merge-patch+json',
        );
        expect(labelled.status, labelled.text).toBe(200);
        expect((await writer.send('GET', `${path}/${name}`)).json).toEqual(labelled.json);
        const removal = `${path}/${name}?propagationPolicy=Background`;
        expect((await writer.send('DELETE', removal)).status).toBe(200);
        const events = await seen;
        // A pod is marked before it goes, even where nobody has to be waited for.
        const marked = sample.kind === 'Pod' ? ['MODIFIED'] : [];
        expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', ...marked, 'DELETED']);
        expect(events[0]!.object).toEqual(created.json);
        expect(events[1]!.object).toEqual(labelled.json);
        expect((await reader.send('GET', `${path}/${name}`)).status).toBe(404);
      }
    },
  );

  test('a namespace that one made the other lists, empties and ends', async () => {
    const path = '/api/v1/namespaces';
    for (const [by, writer, reader] of writers()) {
      const name = `one-etcd-of-${by}`;
      const created = await writer.send('POST', path, { metadata: { name } });
      expect(created.status, created.text).toBe(201);
      expect((await reader.send('GET', `${path}/${name}`)).json).toEqual(created.json);
      const leaving = await reader.send('DELETE', `${path}/${name}`);
      expect(leaving.json.status.phase).toBe('Terminating');
      const late = await writer.send('POST', `${path}/${name}/configmaps`, { metadata: { name: 'late' } });
      expect([late.status, late.json.reason]).toEqual([403, 'Forbidden']);
      const { json } = await writer.send('GET', `${path}/${name}`);
      expect(json).toEqual(leaving.json);
      const done = await writer.send('PUT', `${path}/${name}/finalize`, {
        ...json,
        spec: { finalizers: [] },
      });
      expect(done.status, done.text).toBe(200);
      expect((await reader.send('GET', `${path}/${name}`)).status).toBe(404);
    }
  });

  test('a node port that one server gave away is taken for the other, and so is a cluster IP', async () => {
    const path = '/api/v1/namespaces/default/services';
    for (const [by, writer, reader] of writers()) {
      const spec = { type: 'NodePort', ports: [{ port: 80 }] };
      const service = (name: string, more: object) => ({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name },
        spec: { ...spec, ...more },
      });
      const given = (await writer.send('POST', path, service(`given-${by}`, {}))).json.spec;
      const { nodePort } = given.ports[0];
      const port = await reader.send('POST', path, service('taken', { ports: [{ port: 80, nodePort }] }));
      expect([port.status, port.json.message]).toEqual([
        422,
        `Service "taken" is invalid: spec.ports[0].nodePort: Invalid value: ${nodePort}: provided port is already allocated`,
      ]);
      const address = await reader.send('POST', path, service('taken', { clusterIP: given.clusterIP }));
      expect([address.status, address.json.details.causes[0].field]).toEqual([422, 'spec.clusterIPs']);
      await reader.send('DELETE', `${path}/given-${by}`);
      const again = await writer.send('POST', path, service('again', { ports: [{ port: 80, nodePort }] }));
      expect(again.status, again.text).toBe(201);
      await writer.send('DELETE', `${path}/again`);
    }
  });

  test('custom resources of one are served by the other', async () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      spec: {
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { spec: { type: 'object', properties: { n: { type: 'integer' } } } },
              },
            },
          },
        ],
      },
    };
    for (const [by, writer, reader] of writers()) {
      const group = `${by}.example.com`;
      const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
      const created = await writer.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        ...definition,
        metadata: { name: `things.${group}` },
        spec: { ...definition.spec, group, names },
      });
      expect(created.status, created.text).toBe(201);
      const path = `/apis/${group}/v1/namespaces/default/things`;
      await until('the resource', async () => (await reader.send('GET', path)).status === 200);
      await until('the resource', async () => (await writer.send('GET', path)).status === 200);
      const thing = { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'a' }, spec: { n: 1 } };
      const made = await reader.send('POST', path, thing);
      expect(made.status, made.text).toBe(201);
      expect((await writer.send('GET', `${path}/a`)).json).toEqual(made.json);
      const crd = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.${group}`;
      const [one, other] = [await writer.send('GET', crd), await reader.send('GET', crd)];
      expect(one.json).toEqual(other.json);
      await reader.send('DELETE', crd);
      await until('the definition to be gone', async () => (await writer.send('GET', crd)).status === 404);
    }
  }, 60_000);

  test('events end with their lease, whoever wrote them', async () => {
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      involvedObject: { namespace: 'default' },
      reason: 'Test',
      type: 'Normal',
    };
    for (const [by, writer, reader] of writers()) {
      const name = `event-${by}`;
      const made = await writer.send('POST', '/api/v1/namespaces/default/events', {
        ...event,
        metadata: { name },
      });
      expect(made.status, made.text).toBe(201);
      expect((await reader.send('GET', `/api/v1/namespaces/default/events/${name}`)).json).toEqual(made.json);
      expect((await storage.get(`/registry/events/default/${name}`))?.leaseId).toBeDefined();
    }
  });

  test('both stand behind the service of the API, and nobody rewrites what the other wrote', async () => {
    const path = '/api/v1/namespaces/default/endpoints/kubernetes';
    const both = [{ ip: '192.0.2.11' }, { ip: '192.0.2.12' }];
    await until('both addresses', async () => {
      const { subsets } = (await original.send('GET', path)).json;
      return JSON.stringify(subsets[0].addresses) === JSON.stringify(both);
    });
    const before = await versions();
    await new Promise<void>((resolve) => void setTimeout(resolve, 25_000));
    expect(await versions()).toEqual(before);
  }, 90_000);

  /** What stands in the store and is nobody's heartbeat. */
  async function versions(): Promise<readonly string[]> {
    const { entries } = await storage.list({ start: '/registry/', end: '/registry0' });
    const heartbeats = /^\/registry\/(masterleases|peerserverleases|leases\/kube-system\/apiserver-)/;
    return entries
      .filter(({ key }) => !heartbeats.test(key))
      .map(({ key, modRevision }) => `${key}@${modRevision}`);
  }
});
