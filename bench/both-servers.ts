/** Coxswain and, on request, upstream with its etcd, started with the same flags, and an HTTP/2 client for both. */
import type { ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type ClientHttp2Session } from 'node:http2';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, start, stopped } from './real-server.ts';

export interface Question {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly accept?: string;
  readonly encoding?: string;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface Target {
  readonly name: 'coxswain' | 'original';
  readonly address: string;
  readonly server: ChildProcess;
  /** Its etcd processes. */
  readonly others: readonly ChildProcess[];
}

export interface BothServersOptions {
  /** Lines of `--token-auth-file`: token, name, uid, groups. */
  readonly users: readonly string[];
  /** Passed to both servers. */
  readonly flags: readonly string[];
  /** The directory of upstream's programs; if empty, only Coxswain is started. */
  readonly original: string;
  /** Flags of the Node process that runs Coxswain. */
  readonly nodeFlags?: readonly string[];
}

export const open = (address: string): ClientHttp2Session => {
  const session = connect(address, { rejectUnauthorized: false });
  session.on('error', () => undefined);
  return session;
};

/** Resolves when the whole response has arrived, and keeps its text for callers that need it. */
export function asked(
  session: ClientHttp2Session,
  token: string,
  question: Question,
  keepsText = true,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': question.method,
      ':path': question.path,
      authorization: `Bearer ${token}`,
      accept: question.accept ?? 'application/json',
      ...(question.body === undefined ? {} : { 'content-type': question.type ?? 'application/json' }),
      ...(question.encoding === undefined ? {} : { 'accept-encoding': question.encoding }),
    });
    let status = 0;
    let text = '';
    stream.on('response', (headers) => (status = Number(headers[':status'])));
    stream.on('data', (chunk: Buffer) => {
      if (keepsText) text += chunk.toString('latin1');
    });
    stream.on('end', () => resolve({ status, text }));
    stream.on('error', reject);
    stream.end(question.body);
  });
}

/** Resolves with the status code of the response. */
export const ask = async (session: ClientHttp2Session, token: string, question: Question): Promise<number> =>
  (await asked(session, token, question, false)).status;

/** Starts the servers, calls `work` when they are ready, and stops them. */
export async function withBothServers(
  { users, flags, original, nodeFlags = [] }: BothServersOptions,
  work: (targets: readonly Target[]) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'coxswain-bench-'));
  const inOwn = (name: string): string => mkdtempSync(path.join(directory, name));
  const targets = [await startOurs(inOwn('ours'), users, flags, nodeFlags)];
  try {
    if (original !== '') targets.push(await startOriginal(inOwn('original'), users, flags, original));
    for (const target of targets) await untilReady(target, users[0]!.split(',')[0]!);
    await work(targets);
  } finally {
    for (const { server, others } of targets) {
      await stopped(server);
      for (const child of others) child.kill('SIGKILL');
    }
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

async function startOurs(
  directory: string,
  users: readonly string[],
  flags: readonly string[],
  nodeFlags: readonly string[],
): Promise<Target> {
  const port = await freePort();
  const main = path.join(import.meta.dirname, '../packages/coxswain/bin/coxswain.mjs');
  const args = [...nodeFlags, main, 'kube-apiserver', ...flagsOf(directory, port, users), ...flags];
  return { name: 'coxswain', address: addressOf(port), server: start(process.execPath, args), others: [] };
}

async function startOriginal(
  directory: string,
  users: readonly string[],
  flags: readonly string[],
  programs: string,
): Promise<Target> {
  const [port, etcdPort, peerPort] = [await freePort(), await freePort(), await freePort()];
  const etcdAt = `http://127.0.0.1:${etcdPort}`;
  const peerAt = `http://127.0.0.1:${peerPort}`;
  const etcd = start(path.join(programs, 'etcd'), [
    `--data-dir=${path.join(directory, 'etcd')}`,
    `--listen-client-urls=${etcdAt}`,
    `--advertise-client-urls=${etcdAt}`,
    `--listen-peer-urls=${peerAt}`,
    `--initial-advertise-peer-urls=${peerAt}`,
    `--initial-cluster=default=${peerAt}`,
    // Coxswain keeps its store in memory here.
    '--unsafe-no-fsync',
    '--quota-backend-bytes=4000000000',
  ]);
  const args = [...flagsOf(directory, port, users), ...flags, `--etcd-servers=${etcdAt}`];
  const server = start(path.join(programs, 'kube-apiserver'), args);
  return { name: 'original', address: addressOf(port), server, others: [etcd] };
}

const addressOf = (port: number): string => `https://127.0.0.1:${port}`;

function flagsOf(directory: string, port: number, users: readonly string[]): readonly string[] {
  const tokens = path.join(directory, 'tokens.csv');
  writeFileSync(tokens, `${users.join('\n')}\n`, { mode: 0o600 });
  const key = path.join(directory, 'service-accounts.key');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(key, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  return [
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    `--cert-dir=${directory}`,
    `--token-auth-file=${tokens}`,
    '--authorization-mode=AlwaysAllow',
    '--anonymous-auth=true',
    '--disable-admission-plugins=ServiceAccount',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
  ];
}

async function untilReady({ address }: Target, token: string): Promise<void> {
  for (;;) {
    const session = open(address);
    const failed = new Promise<number>((resolve) => void session.once('error', () => resolve(0)));
    const code = ask(session, token, { method: 'GET', path: '/readyz' }).catch(() => 0);
    const isReady = (await Promise.race([failed, code])) === 200;
    session.destroy();
    if (isReady) return;
    await sleep(200);
  }
}
