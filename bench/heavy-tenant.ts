/**
 * How long a node's lease, a get, a create and `/livez` wait while one tenant sends heavy requests that are valid:
 * `node bench/heavy-tenant.ts [--mix NAME ...] [--seconds 10] [--original DIR] [--profile DIR] [--flag=…]`.
 *
 * A server in a process of its own, the tenant in another, the probes here, one after the other and each on a
 * connection of its own. Of each wait it is told how long it was and how much processor time the server took
 * meanwhile: this second figure does not depend on what else the machine does. `--original` names the directory of
 * the original's kube-apiserver and etcd, which are asked with the same flags, too.
 */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type ClientHttp2Session } from 'node:http2';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mixes, type Question } from './heavy-mixes.ts';

const { values: options } = parseArgs({
  options: {
    mix: { type: 'string', multiple: true, default: Object.keys(mixes) },
    seconds: { type: 'string', default: '10' },
    original: { type: 'string', default: '' },
    /** Where to write a profile of our server's processor time. */
    profile: { type: 'string', default: '' },
    flag: { type: 'string', multiple: true, default: [] },
    /** Set for the process that is the tenant: the server's address. */
    tenant: { type: 'string' },
  },
});

const open = (address: string): ClientHttp2Session => {
  const session = connect(address, { rejectUnauthorized: false });
  session.on('error', () => undefined);
  return session;
};

function ask(session: ClientHttp2Session, token: string, question: Question): Promise<number> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': question.method,
      ':path': question.path,
      authorization: `Bearer ${token}`,
      accept: question.accept ?? 'application/json',
      ...(question.type === undefined ? {} : { 'content-type': question.type }),
    });
    let status = 0;
    stream.on('response', (headers) => (status = Number(headers[':status'])));
    stream.on('data', () => undefined);
    stream.on('end', () => resolve(status));
    stream.on('error', reject);
    stream.end(question.body);
  });
}

/** All at once, each on a connection of its own, again and again until the time is over. */
async function beTenant(address: string): Promise<void> {
  const mix = mixes[options.mix[0]!]!;
  const codes: Record<number, number> = {};
  const untilMs = performance.now() + Number(options.seconds) * 1000;
  const work = async (at: number) => {
    for (let round = 0; round === 0 || performance.now() < untilMs; round++) {
      const session = open(address);
      const code = await ask(session, 'tenant', mix.question(at, round)).catch(() => 0);
      codes[code] = (codes[code] ?? 0) + 1;
      session.destroy();
    }
  };
  process.send!('begun');
  await Promise.all(Array.from({ length: mix.clients }, (_, at) => work(at)));
  process.send!(codes);
}

interface Target {
  readonly name: string;
  readonly address: string;
  readonly server: ChildProcess;
  readonly others: readonly ChildProcess[];
}

/** Seconds of processor time of a process and all its threads; ticks are hundredths. */
const cpuSeconds = ({ server }: Target): number => secondsIn(`/proc/${server.pid}/stat`);

/** The same, of its first thread alone. */
const mainSeconds = ({ server }: Target): number => secondsIn(`/proc/${server.pid}/task/${server.pid}/stat`);

function secondsIn(file: string): number {
  const stat = readFileSync(file, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const residentMiB = ({ server }: Target): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1024;

interface Waits {
  count: number;
  longestMs: number;
  longestCpu: number;
  longestMain: number;
  failed: number;
  code: number;
}

const lease = (at: number): Question => ({
  method: 'PATCH',
  path: '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-1',
  type: 'application/merge-patch+json',
  body: JSON.stringify({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'node-1', namespace: 'kube-node-lease' },
    spec: { holderIdentity: 'node-1', leaseDurationSeconds: 40 + (at % 2) },
  }),
});

const probes: Readonly<Record<string, { readonly token: string; ask: (at: number) => Question }>> = {
  lease: { token: 'node', ask: lease },
  livez: { token: 'modest', ask: () => ({ method: 'GET', path: '/livez' }) },
  get: { token: 'modest', ask: () => ({ method: 'GET', path: '/api/v1/namespaces/kube-system' }) },
  create: {
    token: 'modest',
    ask: (at) => ({
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps?dryRun=All',
      type: 'application/json',
      body: JSON.stringify({ metadata: { name: `modest-${at}` }, data: { text: 'x'.repeat(500) } }),
    }),
  },
};

async function probe(target: Target, name: string, stop: AbortSignal): Promise<Waits> {
  const waits: Waits = { count: 0, longestMs: 0, longestCpu: 0, longestMain: 0, failed: 0, code: 0 };
  const { token, ask: question } = probes[name]!;
  let session = open(target.address);
  for (let at = 0; !stop.aborted; at++) {
    const [beganMs, beganCpu, beganMain] = [performance.now(), cpuSeconds(target), mainSeconds(target)];
    const code = await ask(session, token, question(at)).catch(() => 0);
    waits.count++;
    waits.longestMs = Math.max(waits.longestMs, performance.now() - beganMs);
    waits.longestCpu = Math.max(waits.longestCpu, cpuSeconds(target) - beganCpu);
    waits.longestMain = Math.max(waits.longestMain, mainSeconds(target) - beganMain);
    if (code === 0 || code >= 300) {
      waits.failed++;
      waits.code = code;
      session.destroy();
      session = open(target.address);
    }
    await sleep(20);
  }
  session.destroy();
  return waits;
}

async function measured(target: Target, until: Promise<unknown>): Promise<Record<string, Waits>> {
  const stop = new AbortController();
  const all = Object.keys(probes).map((name) => [name, probe(target, name, stop.signal)] as const);
  await until;
  stop.abort();
  return Object.fromEntries(
    await Promise.all(all.map(async ([name, waits]) => [name, await waits] as const)),
  );
}

async function play(target: Target, name: string): Promise<void> {
  const mix = mixes[name]!;
  const session = open(target.address);
  for (const question of mix.before ?? []) await ask(session, 'modest', question);
  session.destroy();
  const [beganMs, beganCpu] = [performance.now(), cpuSeconds(target)];
  const tenant = fork(process.argv[1]!, [
    '--tenant',
    target.address,
    '--mix',
    name,
    '--seconds',
    options.seconds,
  ]);
  let codes: unknown;
  const ended = new Promise<void>((resolve) => {
    tenant.on('message', (message) => {
      if (typeof message === 'object') codes = message;
    });
    tenant.once('exit', () => resolve());
  });
  await new Promise<void>((resolve) => void tenant.once('message', () => resolve()));
  const waits = await measured(target, ended);
  const seconds = (performance.now() - beganMs) / 1000;
  console.log(
    `${target.name.padEnd(9)} ${name.padEnd(16)} ${seconds.toFixed(1)} s, CPU ${(cpuSeconds(target) - beganCpu).toFixed(1)} s, ` +
      `peak ${residentMiB(target).toFixed(0)} MiB, tenant ${JSON.stringify(codes)}`,
  );
  for (const [what, { count, longestMs, longestCpu, longestMain, failed, code }] of Object.entries(waits)) {
    console.log(
      `    ${what.padEnd(7)} longest ${(longestMs / 1000).toFixed(2).padStart(6)} s, CPU meanwhile ${longestCpu.toFixed(2).padStart(5)} s, of the main thread ${longestMain.toFixed(2).padStart(5)} s` +
        `  (${count} asked, ${failed} failed${failed > 0 ? ` with ${code}` : ''})`,
    );
  }
}

const anyPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

const start = (program: string, args: readonly string[]): ChildProcess =>
  spawn(program, args, {
    stdio: ['ignore', 'ignore', process.env['SERVER_LOG'] === undefined ? 'ignore' : 'inherit'],
  });

/** The same for both. */
function flagsOf(directory: string, port: number): readonly string[] {
  const tokens = path.join(directory, 'tokens.csv');
  const users = [
    'node,system:node:node-1,n,"system:nodes"',
    'modest,modest,m,"dev"',
    'tenant,tenant,t,"dev"',
  ];
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
    ...options.flag,
  ];
}

const addressOf = (port: number): string => `https://127.0.0.1:${port}`;

async function startOurs(directory: string): Promise<Target> {
  const port = await anyPort();
  const main = path.join(import.meta.dirname, '../packages/coxswain/bin/coxswain.mjs');
  const profiling = options.profile === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`];
  const server = start(process.execPath, [...profiling, main, 'kube-apiserver', ...flagsOf(directory, port)]);
  return { name: 'coxswain', address: addressOf(port), server, others: [] };
}

async function startOriginal(directory: string): Promise<Target> {
  const [port, etcdPort, peerPort] = [await anyPort(), await anyPort(), await anyPort()];
  const etcdAt = `http://127.0.0.1:${etcdPort}`;
  const peerAt = `http://127.0.0.1:${peerPort}`;
  const etcd = start(path.join(options.original, 'etcd'), [
    `--data-dir=${path.join(directory, 'etcd')}`,
    `--listen-client-urls=${etcdAt}`,
    `--advertise-client-urls=${etcdAt}`,
    `--listen-peer-urls=${peerAt}`,
    `--initial-advertise-peer-urls=${peerAt}`,
    `--initial-cluster=default=${peerAt}`,
    '--unsafe-no-fsync',
  ]);
  const args = [...flagsOf(directory, port), `--etcd-servers=${etcdAt}`];
  const server = start(path.join(options.original, 'kube-apiserver'), args);
  return { name: 'original', address: addressOf(port), server, others: [etcd] };
}

async function untilReady({ address }: Target): Promise<void> {
  for (;;) {
    const session = open(address);
    const failed = new Promise<number>((resolve) => void session.once('error', () => resolve(0)));
    const asked = ask(session, 'modest', { method: 'GET', path: '/readyz' }).catch(() => 0);
    const code = await Promise.race([failed, asked]);
    session.destroy();
    if (code === 200) return;
    await sleep(200);
  }
}

async function prepare({ address }: Target): Promise<void> {
  const session = open(address);
  const { path: leasePath, ...rest } = lease(0);
  await ask(session, 'modest', {
    method: 'POST',
    path: '/api/v1/namespaces',
    type: 'application/json',
    body: JSON.stringify({ metadata: { name: 'kube-node-lease' } }),
  });
  await ask(session, 'node', {
    ...rest,
    type: 'application/json',
    method: 'POST',
    path: path.dirname(leasePath),
  });
  session.destroy();
}

async function compare(): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'coxswain-heavy-'));
  const inOwn = (name: string): string => mkdtempSync(path.join(directory, name));
  const targets = [await startOurs(inOwn('ours'))];
  try {
    if (options.original !== '') targets.push(await startOriginal(inOwn('original')));
    for (const target of targets) {
      await untilReady(target);
      await prepare(target);
    }
    for (const name of options.mix) for (const target of targets) await play(target, name);
  } finally {
    for (const { server, others } of targets) {
      server.kill('SIGTERM');
      await new Promise((resolve) => void server.once('exit', resolve));
      for (const child of others) child.kill('SIGKILL');
    }
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

await (options.tenant === undefined ? compare() : beTenant(options.tenant));
