/** Webhooks as functions, which the API server calls within this process. */
import { conversion, denied, mutating, validating } from '@coxswain/controller';
import type { KubeObject } from '@coxswain/apimachinery';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCluster } from './create-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}

const ConfigMaps = { apiVersion: 'v1', kind: 'ConfigMap' };

let cluster: TestCluster;
beforeEach(async () => (cluster = await createCluster({ nodes: 0, seed: 1 })));
afterEach(() => cluster.stop());

const configuration = (kind: 'Validating' | 'Mutating', clientConfig: object, more: object = {}) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: `${kind}WebhookConfiguration`,
  metadata: { name: kind.toLowerCase() },
  webhooks: [
    {
      name: 'configmaps.example.com',
      clientConfig,
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      ...more,
    },
  ],
});

const configMap = (data: object) => ({ ...ConfigMaps, metadata: { name: 'own' }, data });
const configMaps = () => cluster.client.resource<ConfigMap>('v1', 'configmaps').namespace('default');

test('admission asks functions by URL and by service', async () => {
  cluster.webhooks.define(
    'https://policy.example.com/validate',
    validating<ConfigMap>(ConfigMaps, ({ object }) =>
      object?.data?.['level'] === undefined ? denied('a level is missing') : undefined,
    ),
  );
  cluster.webhooks.define(
    'https://defaults.system.svc:443/mutate',
    mutating<ConfigMap>(ConfigMaps, ({ object }) => ({ ...object, data: { ...object.data, by: 'webhook' } })),
  );
  await cluster.apply([
    configuration('Validating', { url: 'https://policy.example.com/validate' }),
    configuration('Mutating', { service: { namespace: 'system', name: 'defaults', path: '/mutate' } }),
  ]);
  await cluster.idle();
  await expect(configMaps().create(configMap({ other: 'x' }))).rejects.toThrow(
    'admission webhook "configmaps.example.com" denied the request: a level is missing',
  );
  const made = await configMaps().create(configMap({ level: 'high' }));
  expect(made.data).toEqual({ level: 'high', by: 'webhook' });
});

test('a function that throws fails the request, or is passed over', async () => {
  cluster.webhooks.define('https://policy.example.com/', () => {
    throw new Error('out of order');
  });
  const url = 'https://policy.example.com/';
  await cluster.apply(configuration('Validating', { url }));
  await cluster.idle();
  await expect(configMaps().create(configMap({}))).rejects.toThrow(
    'failed calling webhook "configmaps.example.com": failed to call webhook: an error on the server ("out of order") has prevented the request from succeeding',
  );
  await cluster.apply(configuration('Validating', { url }, { failurePolicy: 'Ignore' }));
  await cluster.idle();
  await configMaps().create(configMap({}));
});

test('a function that never answers is waited for as long as its configuration says, in the time of the cluster', async () => {
  cluster.webhooks.define('https://policy.example.com/', () => new Promise(() => {}));
  await cluster.apply(
    configuration('Validating', { url: 'https://policy.example.com/' }, { timeoutSeconds: 7 }),
  );
  await cluster.idle();
  const created = configMaps()
    .create(configMap({}))
    .catch((error: Error) => error.message);
  await cluster.clock.advance('7s');
  expect(await created).toContain('context deadline exceeded');
});

test('a custom resource is converted by a function', async () => {
  cluster.webhooks.define(
    'https://convert.example.com/',
    conversion((object, apiVersion) => {
      const { size, amount } = object as unknown as { size?: string; amount?: number };
      return apiVersion === 'example.com/v2' ? { amount: Number(size) } : { size: String(amount) };
    }),
  );
  const schema = (field: object) => ({
    openAPIV3Schema: { type: 'object', properties: field },
  });
  await cluster.apply({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boxes.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'boxes', kind: 'Box' },
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'https://convert.example.com/' }, conversionReviewVersions: ['v1'] },
      },
      versions: [
        { name: 'v1', served: true, storage: true, schema: schema({ size: { type: 'string' } }) },
        { name: 'v2', served: true, storage: false, schema: schema({ amount: { type: 'integer' } }) },
      ],
    },
  });
  await cluster.apply({ apiVersion: 'example.com/v1', kind: 'Box', metadata: { name: 'one' }, size: '3' });
  const boxes = cluster.client.resource<KubeObject & { amount: number }>('example.com/v2', 'boxes');
  expect((await boxes.namespace('default').get('one')).amount).toBe(3);
});

test('resets and forks keep the functions, and anything else is refused', async () => {
  cluster.webhooks.define('https://policy.example.com/a', () => undefined);
  await cluster.reset();
  await using fork = await cluster.fork();
  expect(fork.webhooks.urls).toEqual(['https://policy.example.com/a']);
  fork.webhooks.remove('https://policy.example.com:443/a');
  expect([fork.webhooks.urls.length, cluster.webhooks.urls.length]).toEqual([0, 1]);
  expect(() => cluster.webhooks.define('/validate', () => undefined)).toThrow('not /validate');
});
