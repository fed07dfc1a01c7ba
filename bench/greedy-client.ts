/**
 * How long modest clients wait for their answers beside one that asks 50 times as often, or as often as he can:
 * `node bench/greedy-client.ts [--per-second 20] [--times 50] [--flood 0] [--lists] [--seconds 5]`.
 *
 * A server in a process of its own, the greedy client in another; all clients are equal in rank, each has a
 * connection of its own. They get one object and create, with `--lists` they list a hundred and create. With
 * `--flood N` the greedy one keeps N requests open instead.
 */
import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
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

const tell = (what: string, sorted: readonly number[]): void => {
  const at = (part: number) => sorted[Math.ceil(sorted.length * part) - 1]!.toFixed(1).padStart(7);
  console.log(
    `${what.padEnd(30)} p50 ${at(0.5)} ms  p90 ${at(0.9)} ms  p99 ${at(0.99)} ms  (${sorted.length})`,
  );
};

const anyPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

async function startServer(directory: string): Promise<{ server: ChildProcess; address: string }> {
  const port = await anyPort();
  const users = ['greedy', ...Array.from({ length: modestCount }, (_, at) => `modest-${at}`)];
  const tokens = path.join(directory, 'tokens.csv');
  writeFileSync(tokens, users.map((user) => `${user},${user},${user},"dev"\n`).join(''));
  const main = path.join(import.meta.dirname, '../packages/coxswain/bin/coxswain.mjs');
  const flags = [
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    `--cert-dir=${directory}`,
    `--token-auth-file=${tokens}`,
    '--authorization-mode=AlwaysAllow',
    '--disable-admission-plugins=ServiceAccount',
    ...options.flag,
  ];
  const server = spawn(process.execPath, ['--max-semi-space-size=16', main, 'kube-apiserver', ...flags], {
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const address = `https://127.0.0.1:${port}`;
  for (;;) {
    const session = open(address);
    const failed = new Promise<number>((resolve) => void session.once('error', () => resolve(0)));
    const code = await Promise.race([
      failed,
      ask(session, 'greedy', { method: 'GET', path: '/readyz' }).catch(() => 0),
    ]);
    session.destroy();
    if (code === 200) return { server, address };
    await sleep(200);
  }
}

async function compare(): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'coxswain-greedy-'));
  const { server, address } = await startServer(directory);
  try {
    const session = open(address);
    const one = JSON.stringify({ metadata: { name: 'one' } });
    await ask(session, 'modest-0', { method: 'POST', path: configMaps, body: one });
    for (let at = 0; at < 200; at++) await ask(session, 'modest-0', question(3));
    session.destroy();
    // Compiled before it is measured.
    await modestLatencies(address);
    tell('alone', await modestLatencies(address));
    const greedy = fork(process.argv[1]!, [...process.argv.slice(2), '--greedy', address]);
    const answered = new Promise((resolve) => void greedy.once('message', resolve));
    await sleep(500);
    tell('beside a greedy client', await modestLatencies(address));
    console.log('the greedy client was answered', await answered);
    tell('alone again', await modestLatencies(address));
  } finally {
    server.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

await (options.greedy === undefined ? compare() : beGreedy(options.greedy));
