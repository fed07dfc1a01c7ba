/** Reads container statistics from the runtime on request, and computes CPU rates. */
import type { Clock } from '@coxswain/apimachinery';
import type { Decoded } from '@coxswain/protobuf';
import { millisecondsOf } from '../../containers/container-exit.ts';
import { podUidLabel } from '../../containers/labels.ts';
import type { Cri } from '../../cri/cri-client.ts';
import type { ContainerStats, PodSandboxStats } from '../../cri/image-messages.ts';
import { recordOf } from '../../cri/shared-messages.ts';
import { nodeCpuNanoseconds } from '../../node/node-figures.ts';

export type Stats = Decoded<typeof ContainerStats>;
export type SandboxStats = Decoded<typeof PodSandboxStats>;

/** One reading. */
export interface Figures {
  readonly nowMs: number;
  readonly nodeNanoCores: number;
  readonly byPod: ReadonlyMap<string, readonly ContainerFigures[]>;
  readonly sandboxes: ReadonlyMap<string, SandboxStats>;
}

export interface ContainerFigures {
  readonly stats: Stats;
  /** The CPU rate since the previous reading, in billionths of a core. */
  readonly nanoCores: number;
}

interface CpuReading {
  readonly atMs: number;
  readonly nanoseconds: number;
  readonly rate: number;
}

/** Readings closer together are too short to compute a rate. */
const rateMsMin = 1_000;

export class UsageReadings {
  readonly #cri: Cri;
  readonly #clock: Clock;
  #node: CpuReading | undefined;
  /** CPU readings of the containers in the last reading. */
  #containers: ReadonlyMap<string, CpuReading> = new Map();

  constructor(cri: Cri, clock: Clock) {
    this.#cri = cri;
    this.#clock = clock;
  }

  async read(): Promise<Figures> {
    const nowMs = this.#clock.now();
    const [{ stats }, sandboxes] = await Promise.all([
      this.#cri.listContainerStats({}),
      this.#cri.listPodSandboxStats({}).catch(() => ({ stats: [] })),
    ]);
    this.#node = next(this.#node, nowMs, nodeCpuNanoseconds());
    const readings = new Map<string, CpuReading>();
    const byPod = new Map<string, ContainerFigures[]>();
    for (const each of stats) {
      const id = each.attributes?.id ?? '';
      const { cpu } = each;
      const atMs = millisecondsOf(cpu?.timestamp ?? 0);
      const reading = next(this.#containers.get(id), atMs, cpu?.usageCoreNanoSeconds?.value ?? 0);
      readings.set(id, reading);
      const uid = recordOf(each.attributes?.labels ?? [])[podUidLabel] ?? '';
      // Some runtimes compute the rate themselves.
      const figures = { stats: each, nanoCores: cpu?.usageNanoCores?.value ?? reading.rate };
      byPod.set(uid, [...(byPod.get(uid) ?? []), figures]);
    }
    this.#containers = readings;
    return {
      nowMs,
      nodeNanoCores: this.#node.rate,
      byPod,
      sandboxes: new Map(sandboxes.stats.map((each) => [each.attributes?.metadata?.uid ?? '', each])),
    };
  }
}

function next(before: CpuReading | undefined, atMs: number, nanoseconds: number): CpuReading {
  if (before === undefined) return { atMs, nanoseconds, rate: 0 };
  const passedMs = atMs - before.atMs;
  if (passedMs < rateMsMin) return before;
  const rate = Math.max(0, Math.round(((nanoseconds - before.nanoseconds) / passedMs) * 1000));
  return { atMs, nanoseconds, rate };
}

export const cpuSeconds = ({ cpu }: Stats): number => (cpu?.usageCoreNanoSeconds?.value ?? 0) / 1e9;
export const workingSet = ({ memory }: Stats): number => memory?.workingSetBytes?.value ?? 0;
