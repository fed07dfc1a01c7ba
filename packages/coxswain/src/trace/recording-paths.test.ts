import { createClient, type RestClient } from '@coxswain/client';
import { parseRecording } from '@coxswain/trace/recording.ts';
import { RecordingSwitch } from '@coxswain/trace/recording-switch.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type Cluster } from '../cluster/cluster.ts';
import { nodeRecorder } from './node-recorder.ts';
import { recordingPath } from './recording-paths.ts';

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

test('a recording begins when asked for, selects what is asked for, and ends', async () => {
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

test('a recording is not for everybody', async () => {
  const jane = createClient({
    transport: cluster.transport({ name: 'jane', uid: '', groups: ['system:authenticated'], extra: {} }),
  });
  const response = await jane.rest.raw({ verb: 'GET', path: recordingPath });
  expect(response.status).toBe(403);
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
