/**
 * `node scripts/node26.mjs bench/serial-part.ts [--threads 1,3] [--operations 10000]`: what a request costs the API
 * server in processor time, thread by thread, as the system counts it. What the main thread takes (the store) is done
 * by no other: it bounds what more processors can bring.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http2, { type ClientHttp2Session } from 'node:http2';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    threads: { type: 'string', default: '1,3' },
    operations: { type: 'string', default: '10000' },
  },
});
const operations = Number(values.operations);
const connections = 24;
const atOnce = 48;
const watchers = 100;
const listed = 1_000;
const token = 'bench-token';
const configMaps = '/api/v1/namespaces/default/configmaps';

interface Server {
  readonly pid: number;
  readonly sessions: readonly ClientHttp2Session[];
  stop(): Promise<void>;
}

async function startServer(threads: string): Promise<Server> {
  const directory = await mkdtemp(path.join(tmpdir(), 'coxswain-bench-'));
  const tokens = path.join(directory, 'tokens.csv');
  await writeFile(tokens, `${token},bench,bench,"bench,system:masters"\n`, { mode: 0o600 });
  const program = path.join(import.meta.dirname, '../packages/kube-apiserver/bin/kube-apiserver.mjs');
  const flags = ['--bind-address=127.0.0.1', '--secure-port=0', '--authorization-mode=RBAC'];
  const files = [`--cert-dir=${directory}`, `--data-dir=${directory}/data`, `--token-auth-file=${tokens}`];
  const child = spawn(process.execPath, [program, ...flags, ...files, `--threads=${threads}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const address = await new Promise<string>((resolve) =>
    createInterface({ input: child.stderr }).on('line', (line) => {
      const [, found] = /serving on (https:\S+)/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    }),
  );
  const sessions = Array.from({ length: connections }, () =>
    http2.connect(address, { rejectUnauthorized: false }),
  );
  return {
    pid: child.pid!,
    sessions,
    async stop() {
      for (const session of sessions) session.destroy();
      child.kill();
      await ended;
      await rm(directory, { recursive: true });
    },
  };
}

/** Resolves with the response when it is complete; `onData` gets each chunk before. */
function ask(
  session: ClientHttp2Session,
  method: string,
  target: string,
  object?: object,
  onData: (chunk: Buffer) => void = () => undefined,
): Promise<void> {
  const headers = { ':method': method, ':path': target, authorization: `Bearer ${token}` };
  const sent = session.request({ ...headers, ...(object && { 'content-type': 'application/json' }) });
  return new Promise((resolve, reject) => {
    sent.on('response', ({ ':status': status }) => {
      if (Number(status) >= 400) reject(new Error(`${method} ${target}: ${status}`));
    });
    sent.on('data', onData);
    sent.on('end', resolve);
    sent.on('error', reject);
    sent.end(object && JSON.stringify(object));
  });
}

/** Calls `work` for each number, many concurrently. */
async function each(count: number, work: (at: number) => Promise<void>): Promise<number> {
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(atOnce, count) }, async () => {
      while (next < count) await work(next++);
    }),
  );
  return count;
}

/** Seconds by thread. */
function threadTimes(pid: number): Map<string, number> {
  return new Map(
    readdirSync(`/proc/${pid}/task`).map((id) => {
      const read = (file: string) => readFileSync(`/proc/${pid}/task/${id}/${file}`, 'utf8');
      const name = Number(id) === pid ? 'main' : `${read('comm').trim()} ${id}`;
      return [name, Number(read('schedstat').split(' ')[0]) / 1e9] as const;
    }),
  );
}

const map = (name: string, value: string): object => ({ metadata: { name }, data: { value } });
const text = 'x'.repeat(1_000);

/** Each step performs about `count` operations and returns their number. */
function stepsOn({
  sessions,
}: Server): Readonly<Record<string, (count: number, run: string) => Promise<number>>> {
  const session = (at: number) => sessions[at % connections]!;
  return {
    create: (count, run) =>
      each(count, (at) => ask(session(at), 'POST', configMaps, map(`${run}-${at}`, text))),
    update: (count, run) =>
      each(count, (at) =>
        ask(
          session(at),
          'PUT',
          `${configMaps}/warm-up-${at % 100}`,
          map(`warm-up-${at % 100}`, `${run} ${at} ${text}`),
        ),
      ),
    get: (count) => each(count, (at) => ask(session(at), 'GET', `${configMaps}/warm-up-${at % 100}`)),
    [`list of ${listed}`]: (count) =>
      each(Math.ceil(count / 100), (at) => ask(session(at), 'GET', `${configMaps}?limit=${listed}`)),
    [`event to ${watchers} watchers`]: async (count, run) => {
      const events = Math.ceil(count / 20);
      let due = events * watchers;
      const all = Promise.withResolvers<void>();
      const open = Array.from({ length: watchers }, (_, at) => {
        const stream = session(at).request({
          ':path': `${configMaps}?watch=true&labelSelector=run=${run}`,
          authorization: `Bearer ${token}`,
        });
        stream.on('data', (chunk: Buffer) => {
          due -= chunk.toString('latin1').split('\n').length - 1;
          if (due === 0) all.resolve();
        });
        return stream;
      });
      await Promise.all(open.map((stream) => new Promise((resolve) => stream.once('response', resolve))));
      await each(events, (at) =>
        ask(session(at), 'POST', configMaps, {
          metadata: { name: `${run}-event-${at}`, labels: { run } },
          data: {},
        }),
      );
      await all.promise;
      for (const stream of open) stream.close();
      return events * watchers;
    },
  };
}

/** The speedup over one processor with this many processors. */
const gain = (processors: number, all: number, main: number): string =>
  Math.min(processors, all / main).toFixed(1);

for (const threads of values.threads.split(',')) {
  const server = await startServer(threads);
  console.log(`\n--threads=${threads}`);
  console.log('                          µs of all   main thread   busiest   4, 8, 16 processors');
  for (const [name, work] of Object.entries(stepsOn(server))) {
    await work(Math.max(operations / 5, 200), 'warm-up');
    const before = threadTimes(server.pid);
    const done = await work(operations, 'run');
    const spent = [...threadTimes(server.pid)].map(
      ([thread, seconds]) => [thread, seconds - (before.get(thread) ?? 0)] as const,
    );
    const all = spent.reduce((sum, [, seconds]) => sum + seconds, 0);
    const main = new Map(spent).get('main')!;
    const busiest = Math.max(...spent.map(([, seconds]) => seconds));
    const share = (part: number) => `${((100 * part) / all).toFixed(0)} %`.padStart(6);
    const gains = [4, 8, 16].map((processors) => gain(processors, all, main)).join(', ');
    const micros = ((all / done) * 1e6).toFixed(1).padStart(9);
    console.log(`${name.padEnd(26)}${micros}        ${share(main)}    ${share(busiest)}   ${gains}`);
  }
  await server.stop();
}
process.exit(0);
