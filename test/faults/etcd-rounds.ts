/** An API server whose etcd, or the line to it, fails under load: what it answers meanwhile, and how it goes on. */
import { EtcdStorage } from '@coxswain/storage/etcd/etcd-storage.ts';
import { ApiServer, until, type Etcd, type Place } from '../one-etcd/servers.ts';
import type { Line } from './line.ts';
import { Load, configMaps } from './load.ts';
import { askAll, type Answers } from './questions.ts';

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
/** Of a network between two machines. */
export const linkFaults = ['cut', 'half-open', 'refused', 'unplugged'] as const;
export type EtcdFault = (typeof etcdFaults)[number] | (typeof linkFaults)[number];

export interface EtcdRound {
  readonly fault: EtcdFault;
  readonly acknowledged: number;
  readonly refused: number;
  /** What questions were answered during the fault, by ours and by the original. */
  readonly answers: Answers;
  readonly recoveryMs: number;
}

export interface EtcdRoundsSettings {
  readonly etcd: Etcd;
  /** Between it and the API servers; closed at the end. */
  readonly line: Line;
  /** Where the API servers run. */
  readonly place?: Place | undefined;
  /** The original's kube-apiserver, to compare with; may be absent. */
  readonly original?: string | undefined;
  readonly faults: readonly EtcdFault[];
  readonly faultMs: number;
}

const recoveryMsMax = 40_000;
/** What the fault breaks is broken by then. */
const breakingMs = 200;

/**
 * One server for all `faults`: it has to do without a restart.
 * @throws Error when something acknowledged is lost, an answer is wrong, or a fault is not recovered from
 */
export async function etcdRounds(settings: EtcdRoundsSettings): Promise<readonly EtcdRound[]> {
  const { etcd, line, place, original, faults, faultMs } = settings;
  const truth = new EtcdStorage({ endpoints: [etcd.url] });
  const servers = await Promise.all([
    ApiServer.start({ etcd: [line.url], place, address: '192.0.2.12' }),
    ...(original === undefined
      ? []
      : [ApiServer.start({ etcd: [line.url], place, binary: original, address: '192.0.2.11' })]),
  ]);
  const ours = servers[0]!;
  // After a compaction of all that was, and on an etcd that was put back, a watch may have to begin anew.
  const isGoneOn = !faults.includes('compacted') && !faults.includes('put back');
  const load = isGoneOn ? await Load.watched(ours) : new Load(ours);
  try {
    const rounds: EtcdRound[] = [];
    for (const fault of faults) {
      load.forget();
      await until('some writes', async () => load.has(20));
      const before = load.counts();
      const begun = await begin(fault, etcd, line, truth, ours, load);
      await pause(breakingMs);
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
    const problems = load.ledger.problems();
    if (problems.length > 0) throw new Error(problems.join('\n'));
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
    const first = await ours.send('GET', `${configMaps}?limit=2`);
    const revision = await truth.revision();
    // Somebody else's compaction, of all that ever was.
    await truth.compact(revision);
    const next = await ours.send('GET', `${configMaps}?limit=2&continue=${first.json.metadata.continue}`);
    if (next.status !== 200 && next.status !== 410)
      throw new Error(`a page of a list whose past is gone: ${next.status} ${next.text}`);
    return { end: async () => undefined };
  }
  line.set(fault);
  return { end: async () => line.set('well') };
}

/** What the server serves is what etcd has, and has all that was acknowledged, or what was tried later. */
async function mustBeEqual(ours: ApiServer, truth: EtcdStorage, load: Load): Promise<void> {
  const { entries } = await truth.list({
    start: '/registry/configmaps/default/faulted-',
    end: '/registry/configmaps/default/faulted.',
  });
  const stored = entries.map(({ key, modRevision }) => `${key.split('/').at(-1)}@${modRevision}`);
  const { json } = await ours.send('GET', configMaps);
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
