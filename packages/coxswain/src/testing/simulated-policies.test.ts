/** Network policies are enforced between simulated pods. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCluster } from './create-cluster.ts';
import type { TestCluster, TestSnapshot } from './test-cluster.ts';

const workloads = `
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec:
  containers:
    - name: nginx
      image: nginx
      ports: [{name: http, containerPort: 80}, {name: admin, containerPort: 9000}]
      readinessProbe: {httpGet: {path: /, port: http}, periodSeconds: 5}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{name: http, port: 8080, targetPort: http}, {name: admin, port: 9000}]}
`;

let cluster: TestCluster;
let clean: TestSnapshot;
beforeAll(async () => {
  cluster = await createCluster({ nodes: 2, seed: 1 });
  await cluster.apply(workloads);
  await cluster.idle();
  clean = await cluster.snapshot();
});
beforeEach(() => cluster.reset(clean));
afterAll(() => cluster.stop());

const policy = (name: string, spec: object, namespace = 'default') => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name, namespace },
  spec,
});
const denyAll = policy('deny', { podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
const names = {
  to: [
    {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
      podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
    },
  ],
  ports: [{ protocol: 'UDP', port: 53 }],
};

interface Client {
  readonly name: string;
  readonly labels?: Record<string, string>;
  readonly spec?: object;
}

async function start(script: string, { name, labels = {}, spec }: Client): Promise<void> {
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', script] }],
      ...spec,
    },
  });
  await cluster.idle();
}

const podNamed = (name: string) =>
  cluster.client.resource<Pod & KubeObject>('v1', 'pods').namespace('default').get(name);

/** The exit code of a pod, how long it took, and what it printed. */
async function ended(name: string) {
  await cluster.clock.advance('5m');
  const { status } = await podNamed(name);
  const {
    exitCode,
    startedAt = '',
    finishedAt = '',
  } = status?.containerStatuses?.[0]?.state?.terminated ?? {};
  const seconds = (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
  return { exitCode, seconds, said: (await cluster.logs(`pod/${name}`)).trim() };
}

async function run(script: string, client: Client) {
  await start(script, client);
  return ended(client.name);
}

const friend: Client = { name: 'friend', labels: { role: 'friend' } };
const stranger: Client = { name: 'stranger' };

test('a denied client gets no answer, and waits for as long as its program does', async () => {
  await cluster.apply(
    policy('web', {
      podSelector: { matchLabels: { app: 'web' } },
      ingress: [{ from: [{ podSelector: { matchLabels: { role: 'friend' } } }], ports: [{ port: 'http' }] }],
    }),
  );

  expect(await run('wget -qO /dev/null web:8080', friend)).toMatchObject({ exitCode: 0, seconds: 0 });
  expect(await run('nc -w 3 web 9000', { ...friend, name: 'friend-2' })).toMatchObject({
    exitCode: 1,
    seconds: 3,
    said: expect.stringMatching(/^nc: web \(10\.\S+:9000\): Connection timed out$/),
  });
  expect(await run('wget -qO- web:8080', stranger)).toMatchObject({
    exitCode: 1,
    seconds: 131,
    said: expect.stringMatching(/^wget: can't connect to remote host \(.*\): Connection timed out$/),
  });
  expect(await run('wget -T 2 -qO- web:8080', { name: 'brief' })).toMatchObject({
    exitCode: 1,
    seconds: 2,
    said: 'wget: download timed out',
  });
  expect(await run('curl -sS --connect-timeout 4 web:8080', { name: 'curl' })).toMatchObject({
    exitCode: 28,
    seconds: 4,
    said: 'curl: (28) Failed to connect to web port 8080 after 4000 ms: Timeout was reached',
  });
  expect(await run('curl -s -m 4 -w "%{http_code}" web:8080', { name: 'curl-all' })).toMatchObject({
    exitCode: 28,
    said: '000',
  });
});

test('probes come from the node, so that no policy keeps them away', async () => {
  await cluster.apply(denyAll);
  await cluster.clock.advance('5m');
  const pod = await cluster.client.resource<Pod & KubeObject>('v1', 'pods').namespace('default').get('web');
  expect(pod.status?.containerStatuses?.[0]).toMatchObject({ ready: true, restartCount: 0 });
});

test('a pod that may not send traffic cannot even resolve names', async () => {
  await cluster.apply(policy('egress', { podSelector: {}, policyTypes: ['Egress'] }));
  expect(await run('nslookup web', stranger)).toMatchObject({
    exitCode: 1,
    seconds: 5,
    said: ';; connection timed out; no servers could be reached',
  });
  expect(await run('wget -qO- web:8080', { name: 'wget' })).toMatchObject({
    exitCode: 1,
    seconds: 10,
    said: "wget: bad address 'web'",
  });
  expect(await run('curl -m 2 web:8080', { name: 'curl' })).toMatchObject({
    exitCode: 28,
    said: 'curl: (28) Resolving timed out after 2000 milliseconds',
  });
  expect(await run('wget -qO /dev/null 127.0.0.1 || true', { name: 'self' })).toMatchObject({ seconds: 0 });

  await cluster.apply(policy('names', { podSelector: {}, egress: [names], policyTypes: ['Egress'] }));
  expect(await run('nslookup web', { name: 'asks' })).toMatchObject({ exitCode: 0 });
  expect(await run('nc -zw1 web 8080', { name: 'goes' })).toMatchObject({ exitCode: 1, seconds: 1 });

  const toWeb = { to: [{ podSelector: { matchLabels: { app: 'web' } } }], ports: [{ port: 80 }] };
  await cluster.apply(policy('web', { podSelector: {}, egress: [toWeb], policyTypes: ['Egress'] }));
  expect(await run('nc -zw1 web 8080', { name: 'arrives' })).toMatchObject({ exitCode: 0 });
});

test('the labels at the time of the connection count', async () => {
  const red = { namespaceSelector: { matchLabels: { team: 'red' } } };
  await cluster.apply(
    policy('friends', {
      podSelector: { matchLabels: { app: 'web' } },
      ingress: [{ from: [red, { podSelector: { matchLabels: { role: 'friend' } } }] }],
    }),
  );
  const once = 'nc -zw1 web 8080 && echo in || echo out; sleep 60;';
  const change = (resource: string, name: string, labels: object) =>
    (resource === 'pods'
      ? cluster.client.resource('v1', resource).namespace('default')
      : cluster.client.resource('v1', resource)
    ).patch(name, { metadata: { labels } } as Partial<KubeObject>, { type: 'merge' });

  await start(once.repeat(3), stranger);
  await cluster.clock.advance('30s');
  await change('pods', 'stranger', { role: 'friend' });
  await cluster.clock.advance('60s');
  await change('pods', 'stranger', { role: 'none' });
  expect((await ended('stranger')).said).toBe('out\nin\nout');
  await change('namespaces', 'default', { team: 'red' });
  expect((await run(once, { name: 'red' })).said).toBe('in');
});

test('pods in the network of their node come from the node', async () => {
  await cluster.apply(policy('deny', { podSelector: { matchLabels: { app: 'web' } } }));
  const { spec } = await podNamed('web');
  const own = spec?.nodeName ?? '';
  const other = cluster.nodes.names.find((name) => name !== own);
  const on = (nodeName: string | undefined, name: string): Client => ({
    name,
    spec: { nodeName, hostNetwork: true },
  });
  expect(await run('nc -zw1 web 8080', on(own, 'same'))).toMatchObject({ exitCode: 0 });
  expect(await run('nc -zw1 web 8080', on(other, 'far'))).toMatchObject({ exitCode: 1 });
});

test('a cluster may have a network that knows no policies', async () => {
  const open = await createCluster({ nodes: 1, seed: 1, networkPolicies: false });
  try {
    await open.apply(workloads);
    await open.apply(denyAll);
    await open.idle();
    const spec = {
      restartPolicy: 'Never',
      containers: [{ name: 'c', image: 'busybox', command: ['nc', '-z', 'web', '8080'] }],
    };
    await open.apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'client' }, spec });
    await open.idle();
    const { items } = await open.client.resource<Pod & KubeObject>('v1', 'pods').list();
    expect(items.find(({ metadata }) => metadata.name === 'client')?.status?.phase).toBe('Succeeded');
  } finally {
    await open.stop();
  }
});
