/** An API server whose etcd, or the line to it, fails under load: what it answers meanwhile, and how it goes on. */
import { EtcdStorage } from '@coxswain/storage/etcd/etcd-storage.ts';
import { ApiServer, until } from '../one-etcd/servers.ts';
import type { Answer, Etcd } from '../one-etcd/servers.ts';
import { lineTo } from './line.ts';
import type { Line } from './line.ts';
import { Ledger } from '../soak/watch-ledger.ts';

export const etcdFaults = [
  'killed',
  'paused',
  'cut',
  'half-open',
  'refused',
  'slow',
  'compacted',
  'put back',
] as const;
export type EtcdFault = (typeof etcdFaults)[number];

export interface EtcdRound {
  readonly fault: EtcdFault;
  readonly acknowledged: number;
  readonly refused: number;
  /** What questions were answered during the fault, by ours and by the original. */
  readonly answers: Readonly<Record<string, readonly string[]>>;
  readonly recoveryMs: number;
}

export interface EtcdRoundsSettings {
  readonly etcd: Etcd;
  /** The original's kube-apiserver, to compare with; may be absent. */
  readonly original?: string | undefined;
  readonly faults: readonly EtcdFault[];
  readonly faultMs: number;
}

const path = '/api/v1/namespaces/default/configmaps';
const recoveryMsMax = 40_000;
/** Some faults are told of by a time-out only. */
const answerMsMax = 15_000;

/**
 * One server for all `faults`: it has to do without a restart.
 * @throws Error when something acknowledged is lost, an answer is wrong, or a fault is not recovered from
 */
export async function etcdRounds(settings: EtcdRoundsSettings): Promise<readonly EtcdRound[]> {
  const { etcd, original, faults, faultMs } = settings;
  const line = await lineTo(etcd.url);
  const truth = new EtcdStorage({ endpoints: [etcd.url] });
  const servers = await Promise.all([
    ApiServer.start({ etcd: [line.url], address: '192.0.2.12' }),
    ...(original === undefined
      ? []
      : [ApiServer.start({ etcd: [line.url], binary: original, address: '192.0.2.11' })]),
  ]);
  const ours = servers[0]!;
  const load = new Load(ours);
  try {
    const rounds: EtcdRound[] = [];
    for (const fault of faults) {
      load.forget();
      await until('some writes', async () => load.has(20));
      const before = load.counts();
      const begun = await begin(fault, etcd, line, truth, ours, load);
      const asked = askAll(servers);
      await pause(faultMs);
      const during = load.counts();
      await begun.end();
      const startMs = performance.now();
      load.forget();
      await until(`writes after ${fault}`, async () => load.has(5), recoveryMsMax);
      const recoveryMs = Math.round(performance.now() - startMs);
      rounds.push({
        fault,
        acknowledged: during.acknowledged - before.acknowledged,
        refused: during.refused - before.refused,
        answers: await asked,
        recoveryMs,
      });
    }
    await load.stop();
    await mustBeEqual(ours, truth, load);
    return rounds;
  } finally {
    await load.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await truth.close();
    await line.close();
  }
}

async function begin(
  fault: EtcdFault,
  etcd: Etcd,
  line: Line,
  truth: EtcdStorage,
  ours: ApiServer,
  load: Load,
): Promise<{ end(): Promise<void> }> {
  if (fault === 'killed') {
    await etcd.kill();
    return { end: () => etcd.start() };
  }
  if (fault === 'paused') {
    etcd.process.kill('SIGSTOP');
    return { end: async () => void etcd.process.kill('SIGCONT') };
  }
  if (fault === 'put back') {
    await etcd.save();
    await until('writes that are lost', async () => load.has(60));
    load.mayGoBack = true;
    await etcd.putBack();
    load.begin();
    return { end: async () => undefined };
  }
  if (fault === 'compacted') {
    const first = await ours.send('GET', `${path}?limit=2`);
    const revision = await truth.revision();
    // Somebody else's compaction, of all that ever was.
    await truth.compact(revision);
    const next = await ours.send('GET', `${path}?limit=2&continue=${first.json.metadata.continue}`);
    if (next.status !== 200 && next.status !== 410)
      throw new Error(`a page of a list whose past is gone: ${next.status} ${next.text}`);
    return { end: async () => undefined };
  }
  line.set(fault);
  return { end: async () => line.set('well') };
}

const questions: Readonly<Record<string, (server: ApiServer) => Promise<Answer>>> = {
  'get, newest': (server) => server.send('GET', '/api/v1/namespaces/default'),
  'list, whatever is there': (server) => server.send('GET', '/api/v1/namespaces?resourceVersion=0'),
  'list, newest': (server) => server.send('GET', '/api/v1/namespaces'),
  create: (server) =>
    server.send('POST', '/api/v1/namespaces/default/secrets?dryRun=All', { metadata: { name: 'a' } }),
  write: (server) =>
    server.send('POST', '/api/v1/namespaces/default/secrets', { metadata: { generateName: 'a-' } }),
  livez: (server) => server.send('GET', '/livez'),
};

async function askAll(servers: readonly ApiServer[]): Promise<Record<string, readonly string[]>> {
  // What the fault breaks is broken by now.
  await pause(200);
  const told = await Promise.all(
    Object.entries(questions).map(async ([name, ask]) => {
      return [name, await Promise.all(servers.map((server) => inTime(ask(server))))] as const;
    }),
  );
  return Object.fromEntries(told);
}

async function inTime(asked: Promise<Answer>): Promise<string> {
  const startMs = performance.now();
  const late = pause(answerMsMax).then(() => undefined);
  const answer = await Promise.race([asked.catch((failure: Error) => failure), late]);
  const after = `after ${((performance.now() - startMs) / 1000).toFixed(1)} s`;
  if (answer === undefined) return 'nothing';
  if (answer instanceof Error) return `${answer.message} ${after}`;
  const message = answer.status < 400 ? '' : ` ${answer.json?.message ?? answer.text.slice(0, 80)}`;
  return `${answer.status}${message} ${after}`;
}

/** One writer, which counts up in each of its objects, and a watch. */
class Load {
  readonly ledger = new Ledger();
  readonly #server: ApiServer;
  readonly #ending = new AbortController();
  readonly #done: Promise<unknown>;
  readonly newest = new Map<string, { readonly version: number; readonly turn: number }>();
  mayGoBack = false;
  #acknowledged = 0;
  #refused = 0;
  #sinceForgotten = 0;

  constructor(server: ApiServer) {
    this.#server = server;
    this.#done = Promise.all(['a', 'b', 'c'].map((name) => this.#write(name)));
  }

  has(count: number): boolean {
    return this.#sinceForgotten >= count;
  }

  /** Anew: what was acknowledged is not expected to be there any more. */
  begin(): void {
    this.newest.clear();
    this.mayGoBack = false;
  }

  forget(): void {
    this.#sinceForgotten = 0;
  }

  counts(): { readonly acknowledged: number; readonly refused: number } {
    return { acknowledged: this.#acknowledged, refused: this.#refused };
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#done;
  }

  async #write(name: string): Promise<void> {
    for (let turn = 0; !this.#ending.signal.aborted; turn++) {
      const object = `faulted-${name}-${turn % 20}`;
      const answer = await this.#put(object, turn).catch(() => undefined);
      if (answer === undefined || answer.status >= 300) {
        this.#refused++;
        await pause(100);
        continue;
      }
      const version = Number(answer.json.metadata.resourceVersion);
      const before = this.newest.get(object)?.version ?? 0;
      if (version <= before && !this.mayGoBack)
        throw new Error(`${object} went back from ${before} to ${version}`);
      this.newest.set(object, { version, turn });
      this.#acknowledged++;
      this.#sinceForgotten++;
      await pause(10);
    }
  }

  /** Applied: what an attempt that was not answered may have stored doesn't matter. */
  #put(object: string, turn: number): Promise<Answer> {
    const body = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: object },
      data: { turn: `${turn}` },
    };
    const query = 'fieldManager=faults&force=true';
    return this.#server.send('PATCH', `${path}/${object}?${query}`, body, 'application/apply-patch+yaml');
  }
}

/** What the server serves is what etcd has, and has all that was acknowledged, or what was tried later. */
async function mustBeEqual(ours: ApiServer, truth: EtcdStorage, load: Load): Promise<void> {
  const { entries } = await truth.list({
    start: '/registry/configmaps/default/faulted-',
    end: '/registry/configmaps/default/faulted.',
  });
  const stored = entries.map(({ key, modRevision }) => `${key.split('/').at(-1)}@${modRevision}`);
  const { json } = await ours.send('GET', path);
  const items: readonly { metadata: { name: string; resourceVersion: string }; data: { turn: string } }[] =
    json.items.filter(({ metadata }: { metadata: { name: string } }) => metadata.name.startsWith('faulted-'));
  const served = items.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);
  if (served.join() !== stored.join()) throw new Error(`served: ${served.join()}\nstored: ${stored.join()}`);
  for (const { metadata, data } of items) {
    const newest = load.newest.get(metadata.name);
    if (newest !== undefined && Number(data.turn) < newest.turn)
      throw new Error(`${metadata.name} of turn ${newest.turn} is lost: ${data.turn} is there`);
  }
  for (const name of load.newest.keys())
    if (!items.some(({ metadata }) => metadata.name === name)) throw new Error(`${name} is lost`);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
