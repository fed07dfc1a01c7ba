/** The API server's own connections to Services: webhooks, extension servers and proxies whose pods are simulated. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { APIService } from '@coxswain/api/apiregistration/v1/index.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NodeDirectory } from '../nodes/node-directory.ts';
import { simulatedPlaces } from '../nodes/simulated-places.ts';
import { createCluster } from './create-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeEach(async () => (cluster = await createCluster({ nodes: 1, seed: 1, metrics: true })));
afterEach(() => cluster.stop());

const deployed = (name: string, image: string) => [
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name } },
    spec: { containers: [{ name: 'c', image, ports: [{ containerPort: 8443 }] }] },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { app: name }, ports: [{ port: 443, targetPort: 8443 }] },
  },
];

const configuration = (name: string) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name },
  webhooks: [
    {
      name: `${name}.example.com`,
      clientConfig: { service: { namespace: 'default', name, path: '/validate' } },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
});

const configMaps = () => cluster.client.resource('v1', 'configmaps').namespace('default');
const create = (name: string) =>
  configMaps()
    .create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })
    .then(
      () => 'created',
      (failure: Error) => failure.message,
    );

test('a webhook behind a Service is a program in a simulated pod', async () => {
  const asked: string[] = [];
  cluster.images.define('policy:1', {
    listen: {
      8443: async (request) => {
        const { request: review } = (await request.json()) as { request: { uid: string; name: string } };
        asked.push(`${request.method} ${request.url} ${review.name}`);
        const response = { uid: review.uid, allowed: review.name !== 'bad', status: { message: 'no' } };
        return Response.json({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response });
      },
    },
  });
  await cluster.apply(deployed('policy', 'policy:1'));
  await cluster.idle();
  await cluster.apply(configuration('policy'));
  expect([await create('good'), await create('bad')]).toEqual([
    'created',
    'admission webhook "policy.example.com" denied the request: no',
  ]);
  expect(asked[0]).toBe('POST http://policy.default.svc/validate?timeout=10s good');
});

test('a webhook that cannot be reached says why, and no connection leaves the process', async () => {
  const prefix = (name: string) =>
    `failed calling webhook "${name}.example.com": failed to call webhook: Post "https://${name}.default.svc:443/validate?timeout=10s": `;
  await cluster.apply(deployed('nginx', 'nginx:1'));
  await cluster.idle();
  await cluster.apply(configuration('nginx'));
  expect(await create('one')).toBe(
    `Internal error occurred: ${prefix('nginx')}pod default/nginx is simulated, and no program that speaks TLS is defined for its image "nginx:1"`,
  );
});

test('an extension server is a program in a simulated pod, and learns who asks', async () => {
  cluster.images.define('extension:1', {
    listen: {
      8443: (request) => {
        const { pathname } = new URL(request.url);
        if (pathname !== '/apis/example.com/v1/things') return Response.json({});
        const metadata = { name: request.headers.get('x-remote-user') };
        return Response.json({ apiVersion: 'example.com/v1', kind: 'ThingList', items: [{ metadata }] });
      },
    },
  });
  await cluster.apply(deployed('extension', 'extension:1'));
  await cluster.idle();
  const name = 'v1.example.com';
  await cluster.apply({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name },
    spec: {
      group: 'example.com',
      version: 'v1',
      service: { namespace: 'default', name: 'extension' },
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 1000,
      versionPriority: 10,
    },
  });
  await cluster.idle();
  const things = await cluster.client.resource('example.com/v1', 'things').list();
  expect(things.items.map(({ metadata }) => metadata.name)).toEqual(['kubernetes-admin']);
});

test('metrics are served even if a metrics-server is installed', async () => {
  await cluster.apply(deployed('metrics-server', 'registry.k8s.io/metrics-server/metrics-server:v0.8.0'));
  await cluster.apply({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1beta1.metrics.k8s.io' },
    spec: {
      group: 'metrics.k8s.io',
      version: 'v1beta1',
      service: { namespace: 'default', name: 'metrics-server' },
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 100,
      versionPriority: 100,
    },
  });
  await cluster.idle();
  const { items } = await cluster.client.resource('metrics.k8s.io/v1beta1', 'nodes').list();
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['node-0']);
  const apiServices = cluster.client.resource<APIService & KubeObject>(
    'apiregistration.k8s.io/v1',
    'apiservices',
  );
  const { status } = await apiServices.get('v1beta1.metrics.k8s.io');
  expect(status?.conditions).toMatchObject([{ type: 'Available', status: 'True', reason: 'Local' }]);
});

test('endpoints outside of the cluster are reached at their own address, unless the kernel routes Services', async () => {
  const nodes = {
    specs: [{ name: 'node-0', podCidr: '10.244.0.0/24', address: '10.0.0.1' }],
    network: { route: async () => ({ address: '192.0.2.7', port: 9443 }) },
  } as unknown as NodeDirectory;
  const find = async (hasKernelRules: boolean, host: string) =>
    simulatedPlaces(nodes, hasKernelRules).find({ host, port: '443' });
  expect(await find(false, '10.96.7.7')).toEqual({
    address: { host: '192.0.2.7', port: '9443' },
    isSimulated: false,
  });
  expect((await find(true, '10.96.7.7')).address.host).toBe('10.96.7.7');
  expect((await find(false, 'ledger.example')).isSimulated).toBe(false);
  for (const own of ['10.244.0.9', '10.0.0.1'])
    expect(await find(true, own)).toEqual({ address: { host: own, port: '443' }, isSimulated: true });
});
