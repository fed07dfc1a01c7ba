/** A control plane on several machines: on each an etcd, an API server, and, on some, a manager and a scheduler. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer, Etcd, run, token, until, type Program } from '../one-etcd/servers.ts';
import type { Machine } from './machines.ts';

const coxswain = join(import.meta.dirname, '../../packages/coxswain/bin/coxswain.mjs');

/** Of the leases; a leader that is gone is followed by another within `durationMs` and one retry. */
export const leases = { durationMs: 6_000, deadlineMs: 4_000, retryMs: 1_000 } as const;

const election = [
  `--leader-elect-lease-duration=${leases.durationMs}ms`,
  `--leader-elect-renew-deadline=${leases.deadlineMs}ms`,
  `--leader-elect-retry-period=${leases.retryMs}ms`,
];
/** Nodes are objects here that nobody else looks after. */
const flagsOf = {
  'kube-controller-manager': [...election, '--controllers=*,-node-lifecycle-controller', '--secure-port=0'],
  'kube-scheduler': [...election, '--secure-port=0'],
} as const;
type Worker = keyof typeof flagsOf;

export interface ControlPlaneOptions {
  readonly machines: readonly Machine[];
  readonly etcdBinary: string;
  /** On the first so many machines run a manager and a scheduler. */
  readonly workers: number;
  /** Whether each API server knows all etcds, or, as kubeadm has it, the one beside it. */
  readonly knowsAll: boolean;
}

export class Member {
  readonly machine: Machine;
  readonly etcd: Etcd;
  readonly apiServer: ApiServer;
  readonly workers: readonly WorkerProgram[];

  constructor(machine: Machine, etcd: Etcd, apiServer: ApiServer, workers: readonly WorkerProgram[]) {
    this.machine = machine;
    this.etcd = etcd;
    this.apiServer = apiServer;
    this.workers = workers;
  }
}

/** Before a program that ended by itself, as one does that lost its lease, is started again. */
const restartMs = 1_000;

/** A manager or a scheduler, which asks the API server of its machine, and somebody who looks after it. */
export class WorkerProgram {
  readonly name: Worker;
  readonly #launch: () => Program;
  #program: Program;
  #isWanted = true;

  constructor(name: Worker, launch: () => Program) {
    this.name = name;
    this.#launch = launch;
    this.#program = this.#launched();
  }

  /** One that is killed stays away until `startAgain`. */
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    if (signal === 'SIGKILL') this.#isWanted = false;
    this.#program.process.kill(signal);
  }

  async startAgain(): Promise<void> {
    await this.stop();
    this.#isWanted = true;
    this.#program = this.#launched();
  }

  stop(): Promise<void> {
    this.#isWanted = false;
    return this.#program.stop();
  }

  #launched(): Program {
    const launched = this.#launch();
    launched.process.once('exit', () => {
      setTimeout(() => {
        if (this.#isWanted && this.#program === launched) this.#program = this.#launched();
      }, restartMs);
    });
    return launched;
  }
}

export class ControlPlane {
  readonly members: readonly Member[];
  readonly #directory: string;

  private constructor(members: readonly Member[], directory: string) {
    this.members = members;
    this.#directory = directory;
  }

  /** Resolves when all API servers are ready and somebody leads. */
  static async start(options: ControlPlaneOptions): Promise<ControlPlane> {
    const { machines, etcdBinary, workers, knowsAll } = options;
    const directory = mkdtempSync(join(tmpdir(), 'coxswain-servers-'));
    const cluster = machines.map(({ address }, index) => `m${index}=http://${address}:2380`).join(',');
    const etcds = machines.map(({ address, place }, index) => {
      const member = { name: `m${index}`, peerUrl: `http://${address}:2380`, cluster };
      return new Etcd(etcdBinary, 2379, 2380, place, member);
    });
    await Promise.all(etcds.map((etcd) => etcd.start()));
    const urls = machines.map(({ address }) => `http://${address}:2379`);
    const members = await Promise.all(
      machines.map(async ({ address, place }, index) => {
        const etcd = knowsAll ? [...urls.slice(index), ...urls.slice(0, index)] : [urls[index]!];
        const apiServer = await ApiServer.start({ etcd, address, place });
        const kubeconfig = join(directory, `kubeconfig-${index}`);
        writeKubeconfig(kubeconfig, `https://${address}:${apiServer.port}`);
        const names = index < workers ? (Object.keys(flagsOf) as Worker[]) : [];
        const programs = names.map((name) => {
          const args = [coxswain, name, `--kubeconfig=${kubeconfig}`, ...flagsOf[name]];
          const log = join(directory, `${name}-${index}.log`);
          return new WorkerProgram(name, () => run(place, process.execPath, args, log));
        });
        return new Member(machines[index]!, etcds[index]!, apiServer, programs);
      }),
    );
    return new ControlPlane(members, directory);
  }

  /** By whom the lease is held and since when, as any server tells that answers. */
  async leader(name: Worker): Promise<string | undefined> {
    for (const { apiServer } of this.members) {
      const path = `/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/${name}`;
      const answer = await apiServer.send('GET', path, undefined, undefined, 1_000).catch(() => undefined);
      if (answer?.status === 200) return answer.json.spec.holderIdentity || undefined;
    }
    return undefined;
  }

  untilLed(name: Worker): Promise<void> {
    return until(`a leader of ${name}`, async () => (await this.leader(name)) !== undefined);
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.flatMap(({ workers }) => workers.map((worker) => worker.stop())));
    await Promise.all(this.members.map(({ apiServer }) => apiServer.stop()));
    await Promise.all(this.members.map(({ etcd }) => etcd.stop()));
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

const writeKubeconfig = (file: string, server: string): void =>
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'u', user: { token } }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'c',
    }),
    { mode: 0o600 },
  );
