import type { KubeObject } from '@coxswain/apimachinery';
import { createClient, type RestClient } from '@coxswain/client';
import { parseRecording } from '@coxswain/trace/recording.ts';
import { RecordingSwitch } from '@coxswain/trace/recording-switch.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type Cluster } from '../cluster/cluster.ts';
import { nodeRecorder } from './node-recorder.ts';
import { recordingPath } from './recording-paths.ts';
import { writesPath } from './recent-writes.ts';

type Secret = KubeObject & { stringData?: Record<string, string> };

let cluster: Cluster;
let administrator: RestClient;

beforeAll(async () => {
  const recordings = new RecordingSwitch(() => nodeRecorder());
  cluster = await startCluster({ recordings, controllers: ['serviceaccount-controller'], nodes: 0 });
  administrator = cluster.client().rest;
});
afterAll(() => cluster.stop());

const ask = (verb: string, path: string) => administrator.raw({ verb, path });

const textOf = async (verb: string, path: string): Promise<string> =>
  new TextDecoder().decode(await (await ask(verb, path)).bytes());

const recordingOf = async (path: string, verb = 'GET') => parseRecording(await textOf(verb, path));

test('a recording starts on request, applies its selection, and ends', async () => {
  const { id } = JSON.parse(await textOf('POST', recordingPath)) as { id: string };
  await ask('GET', '/api/v1/namespaces/default');
  await ask('GET', '/api/v1/nodes');

  const all = await recordingOf(`${recordingPath}/${id}`);
  const some = await recordingOf(`${recordingPath}/${id}?resource=nodes&verb=list`, 'DELETE');

  expect(all.undertakings.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['GET /api/v1/namespaces/default', 'GET /api/v1/nodes']),
  );
  expect(some.undertakings.map(({ name }) => name)).toEqual(['GET /api/v1/nodes']);
  expect((await ask('GET', `${recordingPath}/${id}`)).status).toBe(404);
});

test('an outline says who made each request', async () => {
  const { id } = JSON.parse(await textOf('POST', recordingPath)) as { id: string };
  await ask('GET', '/api/v1/nodes');

  const { undertakings } = await recordingOf(`${recordingPath}/${id}?outline=true`, 'DELETE');

  expect(undertakings.find(({ name }) => name === 'GET /api/v1/nodes')).toMatchObject({
    steps: [],
    values: { user: 'kubernetes-admin', status: 200 },
  });
});

test('a recording is not for everybody', async () => {
  const jane = createClient({
    transport: cluster.transport({ name: 'jane', uid: '', groups: ['system:authenticated'], extra: {} }),
  });
  for (const path of [recordingPath, writesPath])
    expect((await jane.rest.raw({ verb: 'GET', path })).status).toBe(403);
});

test('the latest writes of an object are known with user, time and revision, without a recording', async () => {
  const as = (name: string) =>
    createClient({ transport: cluster.transport({ name, uid: '', groups: ['system:masters'], extra: {} }) });
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'nginx' }] },
  };
  const deployments = (name: string) => as(name).resource('apps/v1', 'deployments').namespace('default');
  await deployments('alice').create({
    metadata: { generateName: 'web-' },
    spec: { selector: { matchLabels: { app: 'web' } }, template },
  } as object);
  const [{ metadata }] = (await deployments('alice').list()).items as [KubeObject];
  const name = metadata.name ?? '';
  await deployments('bob').patch(name, { spec: { replicas: 3 } }, { type: 'merge', subresource: 'scale' });
  const { metadata: scaled } = await deployments('bob').get(name);

  const { items } = JSON.parse(
    await textOf('GET', `${writesPath}?resource=deployments&namespace=default&name=${name}`),
  ) as { items: unknown[] };

  expect(items).toMatchObject([
    { user: 'alice', method: 'POST', status: 201, revision: Number(metadata.resourceVersion) },
    {
      user: 'bob',
      method: 'PATCH',
      path: expect.stringMatching(/scale$/),
      revision: Number(scaled.resourceVersion),
    },
  ]);
});

test('seconds that make no sense are refused', async () => {
  expect((await ask('GET', `${recordingPath}?seconds=0`)).status).toBe(400);
  expect((await ask('GET', `${recordingPath}?seconds=soon`)).status).toBe(400);
});

test('a request asks for its own recording, if it may', async () => {
  const path = '/api/v1/namespaces/kube-system';
  const headers = { 'coxswain-record': 'true' };
  const answer = await administrator.raw({ verb: 'GET', path, headers });
  const recording = await recordingOf(String(answer.headers['coxswain-record']), 'DELETE');
  expect(recording.undertakings).toMatchObject([{ kind: 'request', name: `GET ${path}` }]);

  const viewer = createClient({
    transport: cluster.transport({
      name: 'viewer',
      uid: '',
      groups: ['system:serviceaccounts', 'system:authenticated'],
      extra: {},
    }),
  });
  expect((await viewer.rest.raw({ verb: 'GET', path: '/version' })).status).toBe(200);
  expect((await viewer.rest.raw({ verb: 'GET', path: '/version', headers })).status).toBe(403);
});

test('data of Secrets is returned only to the user who started the recording for it, and may read Secrets', async () => {
  const password = 'hushhush';
  const shown = /hushhush|aHVzaGh1c2g=/;
  const groups = ['system:authenticated', 'system:masters'];
  const other = createClient({
    transport: cluster.transport({ name: 'other', uid: '', groups, extra: {} }),
  }).rest;
  const begin = async (query: string) =>
    (JSON.parse(await textOf('POST', `${recordingPath}${query}`)) as { id: string }).id;
  const [with_, without] = [await begin('?secrets=true'), await begin('')];
  const secrets = cluster.client().resource<Secret>('v1', 'secrets').namespace('default');
  const meta = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login' } };
  await secrets.create({ ...meta, stringData: { password } });
  await secrets.patch('login', { stringData: { again: password } });

  const reported = async (id: string, query: string) => textOf('GET', `${recordingPath}/${id}${query}`);
  expect(await reported(with_, '?secrets=true')).toMatch(shown);
  expect(await reported(with_, '')).not.toMatch(shown);
  expect(await reported(without, '')).not.toMatch(shown);
  const refused = async (rest: RestClient, verb: string, path: string) =>
    (await rest.raw({ verb, path })).status;
  expect(await refused(administrator, 'GET', `${recordingPath}/${without}?secrets=true`)).toBe(403);
  expect(await refused(other, 'GET', `${recordingPath}/${with_}?secrets=true`)).toBe(403);
  expect(await refused(other, 'GET', `${recordingPath}/${with_}`)).toBe(200);
  for (const id of [with_, without]) await ask('DELETE', `${recordingPath}/${id}`);
});

test('the right to record is not the right to read Secrets', async () => {
  const rbac = 'rbac.authorization.k8s.io/v1';
  const name = 'recorders';
  const rules = [{ nonResourceURLs: [`${recordingPath}*`], verbs: ['*'] }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'rita' }];
  const client = cluster.client();
  await client
    .resource<KubeObject & { rules: unknown }>(rbac, 'clusterroles')
    .create({ apiVersion: rbac, kind: 'ClusterRole', metadata: { name }, rules });
  await client
    .resource<KubeObject & { roleRef: unknown; subjects: unknown }>(rbac, 'clusterrolebindings')
    .create({ apiVersion: rbac, kind: 'ClusterRoleBinding', metadata: { name }, roleRef, subjects });
  const groups = ['system:authenticated'];
  const rita = createClient({
    transport: cluster.transport({ name: 'rita', uid: '', groups, extra: {} }),
  }).rest;
  await expect.poll(async () => (await rita.raw({ verb: 'POST', path: recordingPath })).status).toBe(201);

  const path = `${recordingPath}?secrets=true`;
  for (const verb of ['POST', 'GET']) {
    const answer = await rita.raw({ verb, path });
    expect(answer.status).toBe(403);
    expect(new TextDecoder().decode(await answer.bytes())).toContain(
      'secrets is forbidden: User \\"rita\\" cannot get resource \\"secrets\\" in API group \\"\\" at the cluster scope',
    );
  }
});
