/**
 * How long modest clients wait for their answers beside one that asks 50 times as often, or as often as he can:
 * `node bench/greedy-client.ts [--per-second 20] [--times 50] [--flood 0] [--lists] [--seconds 5] [--rounds 3]
 * [--original DIR]`.
 *
 * A server in a process of its own, the greedy client in another; all clients are equal in rank, each has a
 * connection of its own. They get one object and create, with `--lists` they list a hundred and create. With
 * `--flood N` the greedy one keeps N requests open instead. `--original` names the directory of the original's
 * kube-apiserver and etcd, which are then asked in turns with ours, with the same flags: whatever else a crowded
 * machine does falls on both. Run as root, all of it goes before other programs.
 */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { generateKeyPairSync } from 'node:crypto';
import { connect, type ClientHttp2Session } from 'node:http2';
import { createServer, type AddressInfo } from 'node:net';
import { setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    'per-second': { type: 'string', default: '20' },
    times: { type: 'string', default: '50' },
    flood: { type: 'string', default: '0' },
    lists: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    original: { type: 'string', default: '' },
    /** Flags of the server, for instance `--enable-priority-and-fairness=false`. */
    flag: { type: 'string', multiple: true, default: [] },
    /** Set for the process that is the greedy client. */
    greedy: { type: 'string' },
  },
});

const modestCount = 5;
const perSecond = Number(options['per-second']);
const milliseconds = Number(options.seconds) * 1000;
const configMaps = '/api/v1/namespaces/default/configmaps';
const body = JSON.stringify({ metadata: { generateName: 'new-' }, data: { text: 'x'.repeat(500) } });

const open = (address: string): ClientHttp2Session => {
  const session = connect(address, { rejectUnauthorized: false });
  session.on('error', () => undefined);
  return session;
};

interface Question {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/** Resolves with the answer's code when all of it has come. */
function ask(session: ClientHttp2Session, user: string, question: Question): Promise<number> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': question.method,
      ':path': question.path,
      authorization: `Bearer ${user}`,
      ...(question.body === undefined ? {} : { 'content-type': 'application/json' }),
    });
    let status = 0;
    stream.on('response', (headers) => (status = Number(headers[':status'])));
    stream.on('data', () => undefined);
    stream.on('end', () => resolve(status));
    stream.on('error', reject);
    stream.end(question.body);
  });
}

/** Three reads for one create. */
const question = (at: number): Question =>
  at % 4 === 3
    ? { method: 'POST', path: configMaps, body }
    : { method: 'GET', path: options.lists ? `${configMaps}?limit=100` : `${configMaps}/one` };

/** Asks so often, whether answers come or not. */
async function askAt(rate: number, once: (at: number) => Promise<void>): Promise<void> {
  const beganMs = performance.now();
  const asked: Promise<void>[] = [];
  for (let at = 0; at < (rate * milliseconds) / 1000; at++) {
    const dueMs = beganMs + (at * 1000) / rate;
    const waitMs = dueMs - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    asked.push(once(at));
  }
  await Promise.all(asked);
}

async function beGreedy(address: string): Promise<void> {
  const session = open(address);
  const codes: Record<number, number> = {};
  const once = async (at: number) => {
    const code = await ask(session, 'greedy', question(at)).catch(() => 0);
    codes[code] = (codes[code] ?? 0) + 1;
  };
  const flood = Number(options.flood);
  if (flood === 0) await askAt(perSecond * Number(options.times), once);
  else {
    const untilMs = performance.now() + milliseconds;
    const work = async () => {
      for (let at = 0; performance.now() < untilMs; at++) await once(at);
    };
    await Promise.all(Array.from({ length: flood }, work));
  }
  process.send!(codes);
  session.destroy();
}

async function modestLatencies(address: string): Promise<readonly number[]> {
  const latenciesMs: number[] = [];
  const clients = Array.from({ length: modestCount }, async (_, at) => {
    const session = open(address);
    await sleep((at * 1000) / perSecond / modestCount);
    await askAt(perSecond, async (number) => {
      const beganMs = performance.now();
      const code = await ask(session, `modest-${at}`, question(number));
      if (code >= 300) throw new Error(`a modest client was answered ${code}`);
      latenciesMs.push(performance.now() - beganMs);
    });
    session.destroy();
  });
  await Promise.all(clients);
  return latenciesMs.toSorted((a, b) => a - b);
}

const tell = (what: string, waits: readonly number[]): void => {
  const at = (part: number) => waits[Math.ceil(waits.length * part) - 1]!.toFixed(1).padStart(7);
  console.log(
    `${what.padEnd(32)} p50 ${at(0.5)} ms  p90 ${at(0.9)} ms  p99 ${at(0.99)} ms  (${waits.length})`,
  );
};

const anyPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

interface Target {
  readonly name: string;
  readonly address: string;
  readonly processes: readonly ChildProcess[];
}

const start = (program: string, args: readonly string[]): ChildProcess =>
  spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore'] });

/** The same for both. */
function flagsOf(directory: string, port: number): readonly string[] {
  const users = ['greedy', ...Array.from({ length: modestCount }, (_, at) => `modest-${at}`)];
  const tokens = path.join(directory, 'tokens.csv');
  writeFileSync(tokens, users.map((user) => `${user},${user},${user},"dev"\n`).join(''), { mode: 0o600 });
  const key = path.join(directory, 'service-accounts.key');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(key, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  return [
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    `--cert-dir=${directory}`,
    `--token-auth-file=${tokens}`,
    '--authorization-mode=AlwaysAllow',
    '--disable-admission-plugins=ServiceAccount',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
    ...options.flag,
  ];
}

async function startOurs(directory: string): Promise<Target> {
  const port = await anyPort();
  const main = path.join(import.meta.dirname, '../packages/coxswain/bin/coxswain.mjs');
  const args = ['--max-semi-space-size=16', main, 'kube-apiserver', ...flagsOf(directory, port)];
  return { name: 'coxswain', address: addressOf(port), processes: [start(process.execPath, args)] };
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
    // Ours keeps its store in memory here.
    '--unsafe-no-fsync',
  ]);
  const flags = [...flagsOf(directory, port), `--etcd-servers=${etcdAt}`];
  const server = start(path.join(options.original, 'kube-apiserver'), flags);
  return { name: 'original', address: addressOf(port), processes: [server, etcd] };
}

const addressOf = (port: number): string => `https://127.0.0.1:${port}`;

async function untilReady({ address }: Target): Promise<void> {
  for (;;) {
    const session = open(address);
    const failed = new Promise<number>((resolve) => void session.once('error', () => resolve(0)));
    const code = await Promise.race([
      failed,
      ask(session, 'greedy', { method: 'GET', path: '/readyz' }).catch(() => 0),
    ]);
    session.destroy();
    if (code === 200) return;
    await sleep(200);
  }
}

async function fill({ address }: Target): Promise<void> {
  const session = open(address);
  const one = JSON.stringify({ metadata: { name: 'one' } });
  await ask(session, 'modest-0', { method: 'POST', path: configMaps, body: one });
  for (let at = 0; at < 200; at++) await ask(session, 'modest-0', question(3));
  session.destroy();
}

/** What the modest clients of one server waited, in milliseconds. */
interface Waits {
  readonly alone: number[];
  readonly beside: number[];
}

const settleMs = 500;

async function round({ address }: Target, { alone, beside }: Waits): Promise<void> {
  alone.push(...(await modestLatencies(address)));
  const greedy = fork(process.argv[1]!, [...process.argv.slice(2), '--greedy', address]);
  const answered = new Promise((resolve) => void greedy.once('message', resolve));
  await sleep(settleMs);
  beside.push(...(await modestLatencies(address)));
  console.log('the greedy client was answered', await answered);
}

const sorted = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);

async function compare(): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'coxswain-greedy-'));
  const inOwn = (name: string): string => mkdtempSync(path.join(directory, name));
  goFirst();
  const targets = [await startOurs(inOwn('ours'))];
  try {
    if (options.original !== '') targets.push(await startOriginal(inOwn('original')));
    const waits = new Map<Target, Waits>();
    for (const target of targets) {
      await untilReady(target);
      await fill(target);
      // Compiled before it is measured.
      await modestLatencies(target.address);
      waits.set(target, { alone: [], beside: [] });
    }
    for (let at = 0; at < Number(options.rounds); at++) {
      for (const target of targets) await round(target, waits.get(target)!);
    }
    for (const [{ name }, { alone, beside }] of waits) {
      tell(`${name} alone`, sorted(alone));
      tell(`${name} beside a greedy client`, sorted(beside));
    }
  } finally {
    for (const { processes } of targets) for (const child of processes) child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

const foremost = -20;

/** Before other programs of the machine, where that is allowed; children inherit it. */
function goFirst(): void {
  try {
    setPriority(foremost);
  } catch {
    console.log('not allowed to go before other programs: what they do is measured, too');
  }
}

await (options.greedy === undefined ? compare() : beGreedy(options.greedy));
