/**
 * A control plane on three machines, of which now this part fails and now that, while clients of all its servers write,
 * read and watch. What each fault must not keep the others from, and how it all goes on, is told by rounds.
 */
import { seededRandom, type Random } from '@coxswain/apimachinery';
import { EtcdStorage } from '@coxswain/storage/etcd/etcd-storage.ts';
import { until, type ApiServer } from '../one-etcd/servers.ts';
import { ControlPlane, leases, type Member } from './control-plane.ts';
import { layMachines, type Cut } from './machines.ts';
import { pause, Witness } from './witness.ts';
import { Workload } from './workload.ts';

interface Fault {
  begin(member: Member): unknown;
  end(member: Member): unknown;
}

const cut = (how: Cut): Fault => ({
  begin: ({ machine }) => machine.cut(how),
  end: ({ machine }) => machine.mend(),
});

const onWorkers = (begin: 'SIGKILL' | 'SIGSTOP', name: string): Fault => {
  const of = ({ workers }: Member) => workers.filter((worker) => worker.name === name);
  return {
    begin: (member) => of(member).forEach((worker) => worker.signal(begin)),
    async end(member) {
      for (const worker of of(member)) {
        if (begin === 'SIGSTOP') worker.signal('SIGCONT');
        else await worker.startAgain();
      }
    },
  };
};

export const faults = {
  'API server killed': {
    begin: ({ apiServer }) => apiServer.kill(),
    end: ({ apiServer }) => apiServer.startAgain(),
  },
  'API server paused': {
    begin: ({ apiServer }) => apiServer.process.kill('SIGSTOP'),
    end: ({ apiServer }) => apiServer.process.kill('SIGCONT'),
  },
  'etcd killed': { begin: ({ etcd }) => etcd.kill(), end: ({ etcd }) => etcd.start() },
  'etcd paused': {
    begin: ({ etcd }) => etcd.process.kill('SIGSTOP'),
    end: ({ etcd }) => etcd.process.kill('SIGCONT'),
  },
  'etcd compacted': {
    async begin({ etcd }) {
      const storage = new EtcdStorage({ endpoints: [etcd.url] });
      await storage.compact(await storage.revision());
      await storage.close();
    },
    end: () => undefined,
  },
  'etcd defragmented': {
    begin: ({ etcd }) => fetch(`${etcd.url}/v3/maintenance/defragment`, { method: 'POST', body: '{}' }),
    end: () => undefined,
  },
  'machine cut off': cut('cut'),
  'machine half cut off': cut('half-open'),
  'machine refused': cut('refused'),
  'machine killed': {
    async begin({ apiServer, etcd, workers }) {
      for (const worker of workers) worker.signal('SIGKILL');
      await Promise.all([apiServer.kill(), etcd.kill()]);
    },
    async end({ apiServer, etcd, workers }) {
      await etcd.start();
      await apiServer.startAgain();
      await Promise.all(workers.map((worker) => worker.startAgain()));
    },
  },
  'manager killed': onWorkers('SIGKILL', 'kube-controller-manager'),
  'manager paused': onWorkers('SIGSTOP', 'kube-controller-manager'),
  'scheduler killed': onWorkers('SIGKILL', 'kube-scheduler'),
  'scheduler paused': onWorkers('SIGSTOP', 'kube-scheduler'),
} as const satisfies Record<string, Fault>;
export type FaultName = keyof typeof faults;

export interface Round {
  readonly fault: FaultName;
  /** On which machine. */
  readonly machine: number;
  /** Until a server that was not concerned acknowledged a write. */
  readonly othersMs: number;
  /** Until a deployment's new pod was made and bound. */
  readonly workMs: number;
  /** Until all servers acknowledged writes again. */
  readonly recoveryMs: number;
}

export interface StorySettings {
  readonly etcdBinary: string;
  readonly seed: number;
  readonly knowsAll: boolean;
  readonly faultMs: number;
  /** What fails next, and where; `leader` is the machine of whoever leads among managers. */
  readonly next: (random: Random, rounds: number) => readonly [FaultName, number | 'leader'] | undefined;
  readonly report?: (round: Round) => void;
}

/**
 * On a quiet machine a few seconds: a member of etcd may have led; a session, a call or a lease may have to end first.
 * Machines that do other things besides take longer for everything; what it was is told by rounds.
 */
const othersMsMax = 60_000;
const workMsMax = 120_000;
const recoveryMsMax = 120_000;
const machineCount = 3;

/**
 * @returns the reason where machines can't be had
 * @throws Error with all that was wrong
 */
export async function serversStory(settings: StorySettings): Promise<readonly Round[] | string> {
  const { etcdBinary, seed, knowsAll, faultMs, next, report } = settings;
  const laid = layMachines(machineCount);
  if (typeof laid === 'string') return laid;
  const random = seededRandom(seed);
  let plane: ControlPlane | undefined;
  try {
    plane = await ControlPlane.start({ machines: laid.machines, etcdBinary, workers: 2, knowsAll });
    await plane.untilLed('kube-controller-manager');
    await plane.untilLed('kube-scheduler');
    const apiServers = plane.members.map(({ apiServer }) => apiServer);
    const workload = await Workload.begin(apiServers);
    const witness = new Witness(apiServers, random);
    await witness.begin();
    const rounds: Round[] = [];
    for (let wanted = next(random, 0); wanted !== undefined; wanted = next(random, rounds.length)) {
      const [fault, place] = wanted;
      const machine = place === 'leader' ? await leaderMachine(plane) : place;
      const round = await playRound({ plane, witness, workload, fault, machine, faultMs });
      rounds.push(round);
      report?.(round);
    }
    const problems = await witness.end();
    if (problems.length > 0) throw new Error(`seed ${seed}:\n${problems.join('\n')}`);
    console.log(`servers: ${JSON.stringify(witness.counts())}`);
    await mustAgree(apiServers);
    return rounds;
  } finally {
    await plane?.stop();
    laid.remove();
  }
}

interface Played {
  readonly plane: ControlPlane;
  readonly witness: Witness;
  readonly workload: Workload;
  readonly fault: FaultName;
  readonly machine: number;
  readonly faultMs: number;
}

async function playRound(played: Played): Promise<Round> {
  const { plane, witness, workload, fault, machine, faultMs } = played;
  const member = plane.members[machine]!;
  const others = plane.members.flatMap((_, index) => (index === machine ? [] : [index]));
  const all = plane.members.map((_, index) => index);
  const act: Fault = faults[fault];
  await act.begin(member);
  const startMs = performance.now();
  const since = (): number => Math.round(performance.now() - startMs);
  await pause(faultMs / 3);
  await serving(witness, others, `${fault} at ${machine}: the others`, othersMsMax);
  const othersMs = since();
  await workload.mustGoOn(
    others.map((index) => plane.members[index]!.apiServer),
    workMsMax + leases.durationMs,
  );
  const workMs = since();
  await pause(Math.max(0, faultMs - workMs));
  await act.end(member);
  const endMs = since();
  await serving(witness, all, `after ${fault} at ${machine}: all`, recoveryMsMax);
  return { fault, machine, othersMs, workMs, recoveryMs: since() - endMs };
}

/** Resolves when each of the servers has acknowledged a write since now. */
async function serving(
  witness: Witness,
  indices: readonly number[],
  what: string,
  msMax: number,
): Promise<void> {
  const before = witness.served();
  const isServing = async () => indices.every((index) => witness.served()[index]! > before[index]!);
  await until(`${what} to acknowledge writes`, isServing, msMax);
}

async function leaderMachine(plane: ControlPlane): Promise<number> {
  await plane.untilLed('kube-controller-manager');
  const holder = (await plane.leader('kube-controller-manager')) ?? '';
  return Number(/^machine-(\d)/.exec(holder)?.[1] ?? 0);
}

/** All servers stand behind the service of the API, and serve the same. */
async function mustAgree(servers: readonly ApiServer[]): Promise<void> {
  const endpoints = '/api/v1/namespaces/default/endpoints/kubernetes';
  await until('all servers to stand behind the service kubernetes', async () => {
    const { json } = await servers[0]!.send('GET', endpoints);
    return json.subsets[0].addresses.length === servers.length;
  });
  const lists = await Promise.all(
    servers.map(async (server) => (await server.send('GET', '/api/v1/namespaces/default/configmaps')).json),
  );
  const texts = lists.map(({ items }) => JSON.stringify(items));
  if (new Set(texts).size > 1) throw new Error('the servers serve different lists');
}
