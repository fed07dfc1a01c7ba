/**
 * How long a node's lease, a get, a create and `/livez` wait while one tenant sends heavy requests that are valid:
 * `node bench/heavy-tenant.ts [--mix NAME ...] [--seconds 4] [--rounds 3] [--original DIR] [--profile DIR] [--flag=…]`.
 *
 * A server in a process of its own, the tenant in another, the probes here, one after the other and each on a
 * connection of its own. Of each wait it is told how long it was and how much processor time the server took
 * meanwhile: this second figure does not depend on what else the machine does. Also told: how many answers a modest
 * tenant gets, alone and beside the heavy one, in turn for some rounds; how long the server's main thread works until
 * it has its answer, which includes whatever was done for others first; and the turns over the bound that the server
 * noticed. `--original` names the directory of the original's kube-apiserver and etcd, which are asked with the same
 * flags, too. Run as root on Linux, servers and probes go before other programs, and the tenant's process comes after them and before
 * others: they would otherwise wait for the processor at each step, alone and beside him, but not equally.
 */
import { execFileSync, fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { ask as askIt, asked, open, withBothServers, type Question, type Target } from './both-servers.ts';
import { costlyMixes } from './costly-mixes.ts';
import { mixes as honestMixes } from './heavy-mixes.ts';
import { liar, lyingMixes } from './lying-mixes.ts';
import { startLyingServer } from './lying-server.ts';

const mixes = { ...honestMixes, ...costlyMixes, ...lyingMixes };

/** With the real address of the lying server, whose environment the tenant inherits. */
const ask = (session: Parameters<typeof askIt>[0], token: string, question: Question): Promise<number> =>
  askIt(
    session,
    token,
    question.body === undefined ? question : { ...question, body: withLiar(question.body) },
  );

function withLiar(body: string): string {
  const { LIAR_ADDRESS: address = '', LIAR_AUTHORITY: authority = '' } = process.env;
  return body
    .replaceAll(liar.address, address)
    .replaceAll(liar.port, new URL(address || 'https://nowhere:1').port)
    .replaceAll(liar.authority, authority);
}

const { values: options } = parseArgs({
  options: {
    mix: { type: 'string', multiple: true, default: Object.keys(mixes) },
    /** The length of each round, and the number of rounds. */
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    original: { type: 'string', default: '' },
    /** The directory for a profile of our server's processor time. */
    profile: { type: 'string', default: '' },
    flag: { type: 'string', multiple: true, default: [] },
    /** Set in the process that is the tenant: the address of the server. */
    tenant: { type: 'string' },
  },
});

/** Sends all requests concurrently, each on its own connection, and repeats them until the time is over. */
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

/** The processor time of a process and all its threads, in seconds; a tick is a hundredth of a second. */
const cpuSeconds = ({ server }: Target): number => secondsIn(`/proc/${server.pid}/stat`);

/** The same for its first thread alone. */
const mainSeconds = ({ server }: Target): number => secondsIn(`/proc/${server.pid}/task/${server.pid}/stat`);

/**
 * The processor time of each thread, by name and number. The first is `main`; those of Node's pool compress and read
 * files.
 */
function threadSeconds({ server: { pid } }: Target): ReadonlyMap<string, number> {
  const directory = `/proc/${pid}/task`;
  return new Map(
    readdirSync(directory).map((thread) => {
      const name = readFileSync(`${directory}/${thread}/comm`, 'utf8').trim();
      const nanoseconds = readFileSync(`${directory}/${thread}/schedstat`, 'utf8').split(' ')[0];
      return [thread === String(pid) ? 'main' : `${name} ${thread}`, Number(nanoseconds) / 1e9];
    }),
  );
}

/** Adds the time that the threads of each name used in between to `sums`. */
function addThreads(
  sums: Map<string, number>,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): void {
  for (const [thread, seconds] of after) {
    const name = thread.replace(/ \d+$/, '');
    sums.set(name, (sums.get(name) ?? 0) + seconds - (before.get(thread) ?? 0));
  }
}

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

const noWaits = (): Waits => ({
  count: 0,
  longestMs: 0,
  longestCpu: 0,
  longestMain: 0,
  failed: 0,
  code: 0,
});

const allWaits = (): Readonly<Record<string, Waits>> =>
  Object.fromEntries(Object.keys(probes).map((each) => [each, noWaits()]));

async function probe(target: Target, name: string, waits: Waits, stop: AbortSignal): Promise<void> {
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
}

const aloneMs = 1_500;

/** The throughput of a modest tenant that sends one request after the other. */
class Throughput {
  #answers = 0;
  #ms = 0;
  #workedMs = 0;

  get perSecond(): number {
    return (this.#answers * 1_000) / this.#ms;
  }

  /** The main thread's processor time per request, which other programs do not affect. */
  get workedMs(): number {
    return this.#workedMs / this.#answers;
  }

  async measure(target: Target, during: number | Promise<unknown>): Promise<void> {
    const session = open(target.address);
    const beganMs = performance.now();
    let isOver = false;
    whenFulfilled(typeof during === 'number' ? sleep(during) : during, () => (isOver = true));
    for (let at = 0; !isOver; at++) {
      const { token, ask: question } = probes[at % 4 === 3 ? 'create' : 'get']!;
      const workedMs = mainThreadMs(target);
      await ask(session, token, question(at)).catch(() => 0);
      this.#workedMs += mainThreadMs(target) - workedMs;
      this.#answers++;
    }
    session.destroy();
    this.#ms += performance.now() - beganMs;
  }
}

/** Of our main thread, which everybody shares, exactly; of the original, which has none, that of the first thread. */
const mainThreadMs = ({ server: { pid } }: Target): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

/** The number of turns over the bound so far, by the step that took longest. */
async function longTurns({ address, name }: Target): Promise<ReadonlyMap<string, number>> {
  if (name === 'original') return new Map();
  const session = open(address);
  const { text } = await asked(session, 'modest', { method: 'GET', path: '/metrics', accept: 'text/plain' });
  session.destroy();
  const lines = text.matchAll(/^coxswain_apiserver_long_turns_total\{step="(.*)"\} (\d+)$/gm);
  return new Map(Array.from(lines, ([, step, count]) => [step!, Number(count)]));
}

async function measured(
  target: Target,
  waits: Readonly<Record<string, Waits>>,
  until: Promise<unknown>,
): Promise<void> {
  const stop = new AbortController();
  const all = Object.entries(waits).map(([name, each]) => probe(target, name, each, stop.signal));
  await until;
  stop.abort();
  await Promise.all(all);
}

async function play(target: Target, name: string): Promise<void> {
  const mix = mixes[name]!;
  const session = open(target.address);
  for (const question of mix.before ?? []) {
    // This object was created for an earlier mix, and so were the others.
    const code = await ask(session, 'modest', question);
    if (process.env['TELL'] && code >= 300) console.log('before', code, question.path);
    if (code === 409 && mix.before!.length > 20) break;
  }
  session.destroy();
  await sleep(mix.settleMs ?? 0);
  const turnsBefore = await longTurns(target);
  const [alone, beside] = [new Throughput(), new Throughput()];
  const waits = allWaits();
  const codes: Record<string, number> = {};
  const threads = new Map<string, number>();
  let [seconds, cpu] = [0, 0];
  for (let round = 0; round < Number(options.rounds); round++) {
    // The probes take part of the modest tenant's throughput, both alone and beside the heavy tenant.
    await Promise.all([alone.measure(target, aloneMs), measured(target, allWaits(), sleep(aloneMs))]);
    const [beganMs, beganCpu] = [performance.now(), cpuSeconds(target)];
    const beganThreads = threadSeconds(target);
    const { ended } = await begunTenant(target, name, codes);
    await Promise.all([measured(target, waits, ended), beside.measure(target, ended)]);
    seconds += (performance.now() - beganMs) / 1000;
    cpu += cpuSeconds(target) - beganCpu;
    addThreads(threads, beganThreads, threadSeconds(target));
  }
  console.log(
    `${target.name.padEnd(9)} ${name.padEnd(16)} ${seconds.toFixed(1)} s, CPU ${cpu.toFixed(1)} s, ` +
      `peak ${residentMiB(target).toFixed(0)} MiB, tenant ${JSON.stringify(codes)}`,
  );
  const share = ((100 * beside.perSecond) / alone.perSecond).toFixed(0);
  console.log(
    `    a modest tenant's answers a second: ${beside.perSecond.toFixed(0)} of ${alone.perSecond.toFixed(0)}, ` +
      `${share} %; for each, the main thread worked ${beside.workedMs.toFixed(2)} ms, alone ${alone.workedMs.toFixed(2)}`,
  );
  console.log(
    `    processor seconds by thread: ${Array.from(threads, ([name, s]) => `${name} ${s.toFixed(2)}`).join(', ')}`,
  );
  for (const [step, count] of await longTurns(target)) {
    const more = count - (turnsBefore.get(step) ?? 0);
    if (more > 0) console.log(`    ${more} long turns, ${step}`);
  }
  for (const [what, { count, longestMs, longestCpu, longestMain, failed, code }] of Object.entries(waits)) {
    console.log(
      `    ${what.padEnd(7)} longest ${(longestMs / 1000).toFixed(2).padStart(6)} s, CPU meanwhile ${longestCpu.toFixed(2).padStart(5)} s, of the main thread ${longestMain.toFixed(2).padStart(5)} s` +
        `  (${count} asked, ${failed} failed${failed > 0 ? ` with ${code}` : ''})`,
    );
  }
}

/** Starts a tenant. Its status codes are added to `codes` when it has exited. */
async function begunTenant(
  { address }: Target,
  name: string,
  codes: Record<string, number>,
): Promise<{ readonly ended: Promise<void> }> {
  const args = ['--tenant', address, '--mix', name, '--seconds', options.seconds];
  const tenant = fork(process.argv[1]!, args);
  // In reality, the tenant has its own machine. Here it gets the processor time that the server and the modest tenant
  // leave.
  if (isForemost) goBeforeOthers(tenant.pid!, tenantPriority);
  const ended = new Promise<void>((resolve) => void tenant.once('exit', () => resolve()));
  tenant.on('message', (message: Readonly<Record<string, number>>) => {
    if (typeof message !== 'object') return;
    for (const [code, count] of Object.entries(message)) codes[code] = (codes[code] ?? 0) + count;
  });
  await new Promise<void>((resolve) => void tenant.once('message', () => resolve()));
  return { ended };
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

const users = ['modest,modest,m,"dev"', 'tenant,tenant,t,"dev"', 'node,system:node:node-1,n,"system:nodes"'];

async function compare(): Promise<void> {
  const { address, authority } = await startLyingServer();
  process.env['LIAR_ADDRESS'] = address;
  process.env['LIAR_AUTHORITY'] = authority;
  const { flag: flags, original, profile, mix } = options;
  const nodeFlags = profile === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  await withBothServers({ users, flags, original, nodeFlags }, async (targets) => {
    for (const target of targets) await prepare(target);
    for (const name of mix) for (const target of targets) await play(target, name);
  });
}

/** Priorities of the real-time scheduler, since priorities of other kinds only apply within a session. */
const [foremostPriority, tenantPriority] = [2, 1];
let isForemost = false;

function goBeforeOthers(pid: number, priority: number): void {
  execFileSync('chrt', ['--all-tasks', '--rr', '--pid', String(priority), String(pid)], { stdio: 'ignore' });
}

/** Child processes inherit the priority. */
function goFirst(): void {
  try {
    goBeforeOthers(process.pid, foremostPriority);
    isForemost = true;
  } catch {
    console.log('not allowed to go before other programs: what they do is measured, too');
  }
}

if (options.tenant === undefined) {
  goFirst();
  await compare();
} else await beTenant(options.tenant);
