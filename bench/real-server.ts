/** Starts upstream's etcd and API server from `PEERS_BIN`, in a temporary directory, for comparison in benchmarks. */
import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

export const peersDirectory = process.env['PEERS_BIN'] ?? path.join(homedir(), '.cache/kubernetes-peers/bin');
export const peer = (name: string): string => path.join(peersDirectory, name);

export interface RealServer {
  readonly kubeconfig: string;
  readonly directory: string;
  readonly pids: readonly number[];
  call<T = unknown>(method: string, path: string, body?: unknown, type?: string): Promise<T>;
  stop(): Promise<void>;
}

const token = 'bench-token';

/** @param flags for the API server */
export async function startRealServer(flags: readonly string[] = []): Promise<RealServer> {
  const directory = await mkdtemp(path.join(tmpdir(), 'coxswain-bench-'));
  const [client, peers, secure] = await Promise.all([freePort(), freePort(), freePort()]);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const file = (name: string) => path.join(directory, name);
  const server = `https://127.0.0.1:${secure}`;
  await Promise.all([
    writeFile(file('sa.pub'), publicKey),
    writeFile(file('sa.key'), privateKey),
    writeFile(file('tokens.csv'), `${token},bench,bench,system:masters\n`),
    writeFile(file('kubeconfig'), kubeconfigText(server)),
  ]);
  const etcd = start('etcd', [
    `--data-dir=${file('etcd')}`,
    `--listen-client-urls=http://127.0.0.1:${client}`,
    `--advertise-client-urls=http://127.0.0.1:${client}`,
    `--listen-peer-urls=http://127.0.0.1:${peers}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${peers}`,
    `--initial-cluster=default=http://127.0.0.1:${peers}`,
    '--unsafe-no-fsync',
    '--log-level=error',
  ]);
  const apiServer = start('kube-apiserver', [
    `--etcd-servers=http://127.0.0.1:${client}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${secure}`,
    `--cert-dir=${file('certs')}`,
    `--token-auth-file=${file('tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${file('sa.pub')}`,
    `--service-account-signing-key-file=${file('sa.key')}`,
    '--max-requests-inflight=4000',
    '--max-mutating-requests-inflight=2000',
    ...flags,
  ]);
  const call = caller(secure);
  await until(async () => {
    await call('GET', '/readyz');
    return true;
  });
  return {
    kubeconfig: file('kubeconfig'),
    directory,
    pids: [etcd.pid!, apiServer.pid!],
    call,
    async stop() {
      for (const child of [apiServer, etcd]) await stopped(child);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** User and system time of a process and its descendants, in seconds. */
export function cpuSeconds(pid: number): number {
  let fields: string[];
  try {
    fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  } catch {
    return 0;
  }
  const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
  return childrenOf(pid).reduce((sum, child) => sum + cpuSeconds(child), ticks / 100);
}

/** Resident memory of a process and its descendants, in bytes. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const own = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  return childrenOf(pid).reduce((sum, child) => sum + residentBytes(child), own);
}

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

export const start = (name: string, args: readonly string[], env = process.env): ChildProcess =>
  spawn(name.includes('/') ? name : peer(name), args, {
    stdio: process.env['VERBOSE'] ? 'inherit' : 'ignore',
    env,
  });

export const stopped = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), 8_000).unref();
  });

export async function until(is: () => Promise<boolean>, everyMs = 200, timeoutMs = 600_000): Promise<void> {
  for (const endMs = performance.now() + timeoutMs; performance.now() < endMs;) {
    if (await is().catch(() => false)) return;
    await new Promise((resolve) => void setTimeout(resolve, everyMs));
  }
  throw new Error('waited in vain');
}

/** Calls `work` for each number below `count`, with limited concurrency. */
export async function atOnce(
  count: number,
  width: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

export const caller = (port: number, bearer = token) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 64, rejectUnauthorized: false });
  return <T>(method: string, where: string, body?: unknown, type = 'application/json'): Promise<T> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${bearer}`, accept: 'application/json', 'content-type': type };
      const sent = request({ port, path: where, method, agent, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => void chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if ((answer.statusCode ?? 500) >= 300) return reject(new Error(`${method} ${where}: ${text}`));
          resolve((text.startsWith('{') ? JSON.parse(text) : text) as T);
        });
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
};

const kubeconfigText = (server: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    clusters: [{ name: 'c', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'c', user: { token } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
  });

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
