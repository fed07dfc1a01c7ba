import type { KubeObject } from '@coxswain/apimachinery';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCluster } from '../testing/create-cluster.ts';
import type { TestCluster } from '../testing/test-cluster.ts';
import { assertEventuallyHas } from '../testing/matchers/assertions.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await createCluster({
    nodes: 1,
    seed: 1,
    addons: ['storage', 'load-balancers', 'ingress-class'],
  });
});
beforeEach(() => cluster.reset());
afterAll(() => cluster.stop());

const statefulSet = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db' },
  spec: {
    replicas: 2,
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    template: {
      metadata: { labels: { app: 'db' } },
      spec: {
        containers: [{ name: 'db', image: 'app:1', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
      },
    },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  },
};

test('the members of a stateful set get volumes, which go with their claims', async () => {
  await cluster.apply(statefulSet);
  await assertEventuallyHas(cluster, 'statefulset/db', { status: { readyReplicas: 2 } }, { within: '2m' });
  const volumes = cluster.client.resource('v1', 'persistentvolumes');
  expect((await volumes.list()).items).toHaveLength(2);

  await cluster.remove(statefulSet);
  const claims = cluster.client.resource('v1', 'persistentvolumeclaims').namespace('default');
  for (const { metadata } of (await claims.list()).items) await claims.delete(metadata.name!);
  await cluster.clock.advance('2m');
  expect((await volumes.list()).items).toEqual([]);
});

test('a claim gets a volume that comes with it as soon as that is available', async () => {
  await cluster.apply(`
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: own}
spec: {storageClassName: manual, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: own}
spec: {storageClassName: manual, accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}, hostPath: {path: /data}}
`);
  await cluster.idle();

  await assertEventuallyHas(cluster, 'pvc/own', { status: { phase: 'Bound' } }, { within: '0s' });
});

const service = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { type: 'LoadBalancer', ports: [{ port: 80 }], ...more },
});

test('services get addresses of their own, and keep them over a restart', async () => {
  const addressOf = async (name: string) => {
    const found = await cluster.client
      .resource<KubeObject & { status: { loadBalancer: { ingress?: { ip: string }[] } } }>('v1', 'services')
      .namespace('default')
      .get(name);
    return found.status.loadBalancer.ingress?.[0]?.ip;
  };
  await cluster.apply([
    service('b'),
    service('c'),
    service('other', { loadBalancerClass: 'example.com/own' }),
  ]);
  await cluster.idle();
  const before = [await addressOf('b'), await addressOf('c')];
  expect(before).toEqual(['172.19.255.1', '172.19.255.2']);
  expect(await addressOf('other')).toBeUndefined();

  await cluster.components.restart('addons');
  await cluster.apply(service('a'));
  await cluster.idle();
  expect([await addressOf('b'), await addressOf('c')]).toEqual(before);
  expect(await addressOf('a')).toBe('172.19.255.3');
});

test('an ingress gets the class of the cluster', async () => {
  await cluster.apply({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web' },
    spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
  });

  await assertEventuallyHas(cluster, 'ingress/web', { spec: { ingressClassName: 'simulated' } });
});

test('an unknown name is refused', async () => {
  await expect(createCluster({ addons: ['disks' as never] })).rejects.toThrow('unknown add-on "disks"');
});
