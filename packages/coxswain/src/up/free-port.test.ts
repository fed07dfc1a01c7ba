import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { announceCluster } from '../local/running-clusters.ts';
import { mustBeFree } from './free-port.ts';

test.runIf(process.platform === 'linux')('an occupied port names the cluster that has it', async () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'coxswain-port-'));
  const env = { XDG_DATA_HOME: home };
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await expect(mustBeFree('127.0.0.1', port, env)).rejects.toThrow(`by process ${process.pid} (`);
    const withdraw = announceCluster(
      {
        since: '2026-11-23T03:04:05.000Z',
        version: '0.1.0',
        kubernetesVersion: 'v1.36.3',
        url: `https://127.0.0.1:${port}`,
        dataDirectory: home,
        inMemory: true,
        kubeconfig: path.join(home, 'kubeconfig'),
      },
      env,
    );
    await expect(mustBeFree('127.0.0.1', port, env)).rejects.toThrow(
      `127.0.0.1:${port} is in use by the cluster at https://127.0.0.1:${port} (process ${process.pid}, kubeconfig ${home}/kubeconfig;`,
    );
    withdraw();
  } finally {
    await new Promise((resolve) => server.close(resolve));
    rmSync(home, { recursive: true, force: true });
  }
});
