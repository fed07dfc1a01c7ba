import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

const places = [process.env.ETCD_BIN, join(homedir(), '.cache/kubernetes-peers/bin/etcd'), '/usr/bin/etcd'];

/** The path of an etcd on this machine: `ETCD_BIN`, or one of the usual places. */
export const etcdBinary = places.find((place) => place !== undefined && existsSync(place));

export interface RealEtcd {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Starts an etcd with a directory of its own and waits until it is healthy. */
export async function startRealEtcd(binary: string): Promise<RealEtcd> {
  const directory = mkdtempSync(join(tmpdir(), 'coxswain-etcd-'));
  const [client, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  const urls = [
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
  ];
  const cluster = [`--initial-advertise-peer-urls=${peer}`, `--initial-cluster=default=${peer}`];
  const args = [
    `--data-dir=${join(directory, 'data')}`,
    ...urls,
    ...cluster,
    '--unsafe-no-fsync',
    '--log-level=error',
  ];
  const server = spawn(binary, args, { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => void server.on('close', () => resolve()));
  await isHealthy(client);
  return {
    endpoint: client,
    async stop() {
      server.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true });
    },
  };
}

async function isHealthy(url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const answer = await fetch(`${url}/health`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise<void>((resolve) => void setTimeout(resolve, 50));
  }
  throw new Error(`etcd at ${url} does not become healthy`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return port;
}
