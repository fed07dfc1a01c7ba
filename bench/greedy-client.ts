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
import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ask, open, withBothServers, type Question, type Target } from './both-servers.ts';

const { values: options } = parseArgs({
  options: {
    'per-second': { type: 'string', default: '20' },
    times: { type: 'string', default: '50' },
    flood: { type: 'string', default: '0' },
    lists: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    original: { type: 'string', default: '' },
    /** Flags of the server, such as `--enable-priority-and-fairness=false`. */
    flag: { type: 'string', multiple: true, default: [] },
    /** Set in the process that is the greedy client. */
    greedy: { type: 'string' },
  },
});

const modestCount = 5;
const perSecond = Number(options['per-second']);
const milliseconds = Number(options.seconds) * 1000;
const configMaps = '/api/v1/namespaces/default/configmaps';
const body = JSON.stringify({ metadata: { generateName: 'new-' }, data: { text: 'x'.repeat(500) } });

/** Three reads for each create. */
const question = (at: number): Question =>
  at % 4 === 3
    ? { method: 'POST', path: configMaps, body }
    : { method: 'GET', path: options.lists ? `${configMaps}?limit=100` : `${configMaps}/one` };

/** Sends requests at this rate, whether or not responses arrive. */
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

const report = (what: string, waits: readonly number[]): void => {
  const at = (part: number) => waits[Math.ceil(waits.length * part) - 1]!.toFixed(1).padStart(7);
  console.log(
    `${what.padEnd(32)} p50 ${at(0.5)} ms  p90 ${at(0.9)} ms  p99 ${at(0.99)} ms  (${waits.length})`,
  );
};

async function fill({ address }: Target): Promise<void> {
  const session = open(address);
  const one = JSON.stringify({ metadata: { name: 'one' } });
  await ask(session, 'modest-0', { method: 'POST', path: configMaps, body: one });
  for (let at = 0; at < 200; at++) await ask(session, 'modest-0', question(3));
  session.destroy();
}

/** The latencies of the modest clients of one server, in milliseconds. */
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

const users = ['greedy', ...Array.from({ length: modestCount }, (_, at) => `modest-${at}`)].map(
  (name) => `${name},${name},${name},"dev"`,
);

async function compare(): Promise<void> {
  goFirst();
  const { flag: flags, original } = options;
  await withBothServers({ users, flags, original, nodeFlags: ['--max-semi-space-size=16'] }, measured);
}

async function measured(targets: readonly Target[]): Promise<void> {
  const waits = new Map<Target, Waits>();
  for (const target of targets) {
    await fill(target);
    // A warm-up, so that code is compiled before the measurement.
    await modestLatencies(target.address);
    waits.set(target, { alone: [], beside: [] });
  }
  for (let at = 0; at < Number(options.rounds); at++) {
    for (const target of targets) await round(target, waits.get(target)!);
  }
  for (const [{ name }, { alone, beside }] of waits) {
    report(`${name} alone`, sorted(alone));
    report(`${name} beside a greedy client`, sorted(beside));
  }
}

const foremost = -20;

/** Raises the priority above other programs of the machine, if permitted; child processes inherit it. */
function goFirst(): void {
  try {
    setPriority(foremost);
  } catch {
    console.log('not allowed to go before other programs: what they do is measured, too');
  }
}

await (options.greedy === undefined ? compare() : beGreedy(options.greedy));
