import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { writePrivateFile } from '@coxswain/storage/directory/private-files.ts';
import { RecordingSwitch } from '@coxswain/trace/recording-switch.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type Cluster } from '../cluster/cluster.ts';
import { administrator } from '../components/component-users.ts';
import { kubeconfigPort, type KubeconfigPort } from '../testing/kubeconfig-port.ts';
import { nodeRecorder } from '../trace/node-recorder.ts';
import { runningCluster } from './running-cluster.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'coxswain-running-'));
const kubeconfig = path.join(directory, 'kubeconfig');
let cluster: Cluster;
let port: KubeconfigPort;

beforeAll(async () => {
  const recordings = new RecordingSwitch(() => nodeRecorder());
  cluster = await startCluster({ recordings, controllers: [], scheduler: false, nodes: 0 });
  port = kubeconfigPort(
    (incoming) => cluster.apiServer.served.serve(incoming),
    () => {},
  );
  writePrivateFile(kubeconfig, await port.kubeconfig(administrator));
});
afterAll(async () => {
  await port.close();
  await cluster.stop();
  rmSync(directory, { recursive: true });
});

const connected = () => runningCluster({ env: {}, kubeconfig, selection: {}, showsSecrets: false });

test('recordings of a running cluster end, however many there were', async () => {
  const traced = connected();
  try {
    for (let round = 0; round < 10; round++) {
      const [settling, part] = [await traced.record(), await traced.record()];
      await settling.end();
      await part.end();
    }
  } finally {
    await traced.stop();
  }
});

test('a part has what happened since it began, and names it', async () => {
  const traced = connected();
  try {
    const read = () => cluster.client().rest.raw({ verb: 'GET', path: '/api/v1/namespaces/default' });
    const earlier = await traced.record();
    await read();
    const part = await traced.record();
    expect(await earlier.names()).toContain('GET /api/v1/namespaces/default');
    expect(await part.names()).toEqual([]);
    await read();
    expect((await part.soFar()).undertakings.map(({ name }) => name)).toEqual([
      'GET /api/v1/namespaces/default',
    ]);
    await earlier.end();
    await part.end();
  } finally {
    await traced.stop();
  }
});
