/** The JavaScript client of the Kubernetes project works on a started all-in-one: real HTTPS, real watches. */

import {
  CoreV1Api,
  AppsV1Api,
  KubeConfig,
  KubernetesObjectApi,
  PatchStrategy,
  Watch,
  makeInformer,
  setHeaderOptions,
  type KubernetesObject,
  type V1ConfigMap,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startUp, type RunningCluster } from './running-cluster.ts';

const startMs = 60_000;
const eventTimeoutMs = 20_000;

let cluster: RunningCluster;
let config: KubeConfig;
let core: CoreV1Api;

beforeAll(async () => {
  cluster = await startUp(['--in-memory']);
  config = new KubeConfig();
  config.loadFromFile(cluster.kubeconfig);
  core = config.makeApiClient(CoreV1Api);
}, startMs);

afterAll(async () => {
  expect(await cluster.stop()).toBe(0);
}, startMs);

const namespace = 'default';

const configMap = (name: string, data: Record<string, string>): V1ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data,
});

test('what was created is listed and read back', async () => {
  const created = await core.createNamespacedConfigMap({ namespace, body: configMap('listed', { a: '1' }) });
  expect(created.metadata?.uid).toMatch(/^[0-9a-f-]{36}$/);

  const listed = await core.listNamespacedConfigMap({ namespace });
  expect(listed.items.map((item) => item.metadata?.name)).toContain('listed');
  expect(listed.metadata?.resourceVersion).toMatch(/^\d+$/);

  const read = await core.readNamespacedConfigMap({ namespace, name: 'listed' });
  expect(read.data).toEqual({ a: '1' });
});

test('a missing object is a 404 with a Status', async () => {
  const failure = await core.readNamespacedConfigMap({ namespace, name: 'missing' }).then(
    () => undefined,
    (error: { code: number; body: string }) => error,
  );
  expect(failure?.code).toBe(404);
  expect(JSON.parse(failure?.body ?? '')).toMatchObject({
    kind: 'Status',
    reason: 'NotFound',
    message: 'configmaps "missing" not found',
  });
});

test('a merge patch changes one key and leaves the other', async () => {
  await core.createNamespacedConfigMap({ namespace, body: configMap('patched', { a: '1', b: '2' }) });
  const patched = await core.patchNamespacedConfigMap(
    { namespace, name: 'patched', body: { data: { a: '9' } } },
    setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
  );
  expect(patched.data).toEqual({ a: '9', b: '2' });
});

test('server-side apply conflicts with another owner and wins by force', async () => {
  const objects = KubernetesObjectApi.makeApiClient(config);
  const apply = (manager: string, value: string, force: boolean): Promise<KubernetesObject> =>
    objects.patch(
      configMap('applied', { k: value }),
      undefined,
      undefined,
      manager,
      force,
      PatchStrategy.ServerSideApply,
    );
  await apply('one', '1', false);
  await expect(apply('two', '2', false)).rejects.toMatchObject({ code: 409 });
  expect(await apply('two', '2', true)).toMatchObject({ data: { k: '2' } });
});

test('a watch sees what is added, changed and deleted, in order', async () => {
  const seen: string[] = [];
  const started = await core.listNamespacedConfigMap({ namespace });
  let finished: () => void = () => {};
  const all = new Promise<void>((resolve) => (finished = resolve));
  const request = await new Watch(config).watch(
    `/api/v1/namespaces/${namespace}/configmaps`,
    { resourceVersion: started.metadata?.resourceVersion },
    (type: string, object: V1ConfigMap) => {
      if (object.metadata?.name !== 'watched') return;
      seen.push(type);
      if (type === 'DELETED') finished();
    },
    () => {},
  );
  await core.createNamespacedConfigMap({ namespace, body: configMap('watched', { a: '1' }) });
  await core.replaceNamespacedConfigMap({
    namespace,
    name: 'watched',
    body: configMap('watched', { a: '2' }),
  });
  await core.deleteNamespacedConfigMap({ namespace, name: 'watched' });
  await within(all, eventTimeoutMs);
  request.abort();
  expect(seen).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
});

test(
  'an informer follows the pods of a deployment until all run',
  async () => {
    const apps = config.makeApiClient(AppsV1Api);
    const running = new Set<string>();
    let finished: () => void = () => {};
    const all = new Promise<void>((resolve) => (finished = resolve));
    const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/pods`, () =>
      core.listNamespacedPod({ namespace }),
    );
    const look = (pod: { metadata?: { name?: string }; status?: { phase?: string } }) => {
      if (pod.status?.phase === 'Running') running.add(pod.metadata?.name ?? '');
      if (running.size === 3) finished();
    };
    informer.on('add', look);
    informer.on('update', look);
    await informer.start();
    await apps.createNamespacedDeployment({
      namespace,
      body: {
        metadata: { name: 'followed' },
        spec: {
          replicas: 3,
          selector: { matchLabels: { app: 'followed' } },
          template: {
            metadata: { labels: { app: 'followed' } },
            spec: { containers: [{ name: 'c', image: 'nginx' }] },
          },
        },
      },
    });
    await within(all, eventTimeoutMs);
    await informer.stop();
    expect(running.size).toBe(3);
  },
  2 * eventTimeoutMs,
);

function within(promise: Promise<void>, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`nothing happened within ${timeoutMs} ms`)), timeoutMs);
    promise.then(() => {
      clearTimeout(timer);
      resolve();
    }, reject);
  });
}
