/** API server, controller manager and scheduler, started from a directory of executables: the original's or ours. */
import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { HttpTransport } from '@coxswain/client/https/http-transport.ts';

export type ProgramName = 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler';

export interface Programs {
  /** The answer of a program, as the administrator. @throws Error when none comes */
  ask(program: ProgramName, method: string, path: string, body?: unknown): Promise<Answer>;
  /** The answer of the API server to somebody whom it doesn't know. */
  askAnonymously(path: string): Promise<Answer>;
  /** Where the flags of the API server point to; what is written there is read again. */
  readonly directory: string;
  stop(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

const token = 'metrics-admin-token';
const readyMsMax = 180_000;

/** @param bin the directory; an `etcd` in it is used only by programs that are not Coxswain's */
export async function startPrograms(bin: string, isOurs: boolean): Promise<Programs> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'coxswain-metrics-'));
  const ports = await freePorts(5);
  const children: ChildProcess[] = [];
  const run = (name: string, flags: readonly string[]) => {
    // Ours run as they are in the sources, not as they were bundled last.
    const env = { ...process.env, ...(isOurs && { COXSWAIN_FROM_SOURCE: '1' }) };
    const child = spawn(path.join(bin, name), flags, {
      env,
      stdio: process.env['VERBOSE'] ? 'inherit' : 'ignore',
    });
    children.push(child);
  };
  const [api = 0, manager = 0, scheduler = 0, etcd = 0, etcdPeer = 0] = ports;
  await writeFiles(directory, api);
  if (!isOurs) run('etcd', etcdFlags(directory, etcd, etcdPeer));
  run('kube-apiserver', [
    ...apiServerFlags(directory, api),
    isOurs ? `--data-dir=${directory}/data` : `--etcd-servers=http://127.0.0.1:${etcd}`,
  ]);
  const transports = {
    'kube-apiserver': new HttpTransport({ server: `https://127.0.0.1:${api}`, insecure: true }),
    'kube-controller-manager': new HttpTransport({ server: `https://127.0.0.1:${manager}`, insecure: true }),
    'kube-scheduler': new HttpTransport({ server: `https://127.0.0.1:${scheduler}`, insecure: true }),
  };
  const ask: Programs['ask'] = async (program, method, requestPath, body) => {
    const response = await transports[program].send({
      method,
      path: requestPath,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': typeOf(method) }),
      },
      ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
    });
    return { status: response.status, text: Buffer.from(await response.bytes()).toString() };
  };
  const askAnonymously: Programs['askAnonymously'] = async (requestPath) => {
    const response = await transports['kube-apiserver'].send({
      method: 'GET',
      path: requestPath,
      headers: {},
    });
    return { status: response.status, text: Buffer.from(await response.bytes()).toString() };
  };
  const stop = async () => {
    await Promise.all(Object.values(transports).map((transport) => transport.close()));
    await Promise.all(children.toReversed().map(endProgram));
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await until(async () => (await ask('kube-apiserver', 'GET', '/readyz')).status === 200, children);
    const ofClient = ['authentication-', 'authorization-', ''].map(
      (name) => `--${name}kubeconfig=${directory}/kubeconfig`,
    );
    const common = [...ofClient, '--bind-address=127.0.0.1', '--authentication-skip-lookup=true'];
    run('kube-controller-manager', [
      ...common,
      `--secure-port=${manager}`,
      `--cert-dir=${directory}/manager`,
      '--horizontal-pod-autoscaler-sync-period=1s',
      `--service-account-private-key-file=${directory}/sa.key`,
      '--allocate-node-cidrs=true',
      '--cluster-cidr=10.244.0.0/16',
    ]);
    run('kube-scheduler', [...common, `--secure-port=${scheduler}`, `--cert-dir=${directory}/scheduler`]);
    for (const program of ['kube-controller-manager', 'kube-scheduler'] as const)
      await until(
        async () => (await ask(program, 'GET', '/metrics')).text.includes('leader_election_master_status'),
        children,
      );
  } catch (failure) {
    await stop();
    throw failure;
  }
  return { ask, askAnonymously, directory, stop };
}

const typeOf = (method: string): string =>
  method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';

const etcdFlags = (directory: string, port: number, peerPort: number): readonly string[] => [
  `--data-dir=${directory}/etcd`,
  `--listen-client-urls=http://127.0.0.1:${port}`,
  `--advertise-client-urls=http://127.0.0.1:${port}`,
  `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
];

const apiServerFlags = (directory: string, port: number): readonly string[] => [
  `--secure-port=${port}`,
  '--bind-address=127.0.0.1',
  '--advertise-address=127.0.0.1',
  `--cert-dir=${directory}/api`,
  `--token-auth-file=${directory}/tokens.csv`,
  `--authorization-config=${directory}/authorization.yaml`,
  `--authentication-config=${directory}/authentication.yaml`,
  '--service-account-issuer=https://kubernetes.default.svc',
  `--service-account-key-file=${directory}/sa.key`,
  `--service-account-signing-key-file=${directory}/sa.key`,
  '--service-cluster-ip-range=10.0.0.0/24',
  '--disable-admission-plugins=ServiceAccount',
];

async function writeFiles(directory: string, port: number): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const files: Readonly<Record<string, string>> = {
    'sa.key': privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    'tokens.csv': `${token},admin,admin,system:masters\n`,
    'authorization.yaml': authorization(['RBAC']),
    'authentication.yaml': authentication(true),
    kubeconfig: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        { name: 'c', cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } },
      ],
      users: [{ name: 'u', user: { token } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    }),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(directory, name), text);
}

/** A file for `--authorization-config`. */
export const authorization = (types: readonly string[]): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: types.map((type) => ({ type, name: type.toLowerCase() })),
  });

/** A file for `--authentication-config`. */
export const authentication = (anonymous: boolean): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    anonymous: { enabled: anonymous },
  });

export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) =>
          server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
        ),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Asks again and again; an error is a no. @throws Error when it takes too long, or a program that must run has ended */
export async function until(
  isSo: () => Promise<boolean>,
  running: readonly ChildProcess[] = [],
): Promise<void> {
  const lastMs = Date.now() + readyMsMax;
  while (!(await isSo().catch(() => false))) {
    const gone = running.find(hasEnded);
    if (gone !== undefined) throw new Error(`ended early: ${gone.spawnargs.join(' ')}`);
    if (Date.now() > lastMs) throw new Error(`not so within ${readyMsMax / 1000} seconds: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

export const endProgram = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => {
    if (hasEnded(child)) return resolve(undefined);
    child.once('exit', resolve);
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), 10_000).unref();
  });

/** Whether a directory has the programs. */
export const hasPrograms = (bin: string): boolean => existsSync(path.join(bin, 'kube-apiserver'));
