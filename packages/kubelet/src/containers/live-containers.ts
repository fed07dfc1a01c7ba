/** Tracks the runtime's containers: which are running, and how they ended, reported once each. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Clock } from '@coxswain/apimachinery';
import { isGrpcFailure } from '@coxswain/grpc/status.ts';
import type { Cri } from '../cri/cri-client.ts';
import { recordOf } from '../cri/shared-messages.ts';
import { containerTypeOf, type KubeletMetrics } from '../metrics/kubelet-metrics.ts';
import type { ContainerExit, KnownPod } from '../runtime.ts';
import {
  containerExit,
  hasEnded,
  millisecondsOf,
  userOf,
  type CriContainerStatus,
} from './container-exit.ts';
import { containerHash } from './container-hash.ts';
import { containerNameLabel, hashAnnotation, restartCountAnnotation } from './labels.ts';

export interface LiveContainer {
  readonly pod: Pod;
  readonly container: Container;
  readonly ips: readonly string[];
  readonly logFile: string;
  isRunning: boolean;
  /** Whether the caller that started it knows of it, so that its end can be reported. */
  isStarted: boolean;
}

export interface LiveContainersOptions {
  readonly cri: Cri;
  readonly clock: Clock;
  readonly exited: (id: string, exit: ContainerExit) => void;
  readonly run: (work: Promise<unknown>) => void;
  readonly metrics?: Pick<KubeletMetrics, 'containerEnded'> | undefined;
}

export class LiveContainers {
  readonly #options: LiveContainersOptions;
  readonly #containers = new Map<string, LiveContainer>();
  /** Containers whose end was reported. */
  readonly #reported = new Set<string>();

  constructor(options: LiveContainersOptions) {
    this.#options = options;
  }

  get(id: string): LiveContainer | undefined {
    return this.#containers.get(id);
  }

  add(id: string, container: Omit<LiveContainer, 'isRunning' | 'isStarted'>): void {
    this.#containers.set(id, { ...container, isRunning: true, isStarted: false });
  }

  /** The container never ran, so its end is not reported. */
  failed(id: string): void {
    this.#reported.add(id);
  }

  forget(id: string): void {
    this.#containers.delete(id);
    this.#reported.delete(id);
  }

  /** Logs that are still being written. */
  runningLogs(): readonly { readonly id: string; readonly file: string }[] {
    return [...this.#containers].flatMap(([id, { logFile, isRunning, isStarted }]) =>
      isRunning && isStarted ? [{ id, file: logFile }] : [],
    );
  }

  /** Adopts a container that an earlier kubelet has started. */
  adopt(pod: Pod, ips: readonly string[], status: CriContainerStatus): KnownPod['runs'][number] {
    const { id, labels, annotations, startedAt, imageRef, logPath } = status;
    const name = recordOf(labels)[containerNameLabel] ?? '';
    const noted = recordOf(annotations);
    const spec = containersOf(pod).find((each) => each.name === name);
    const ended = hasEnded(status);
    if (ended) this.#reported.add(id);
    const container = spec ?? ({ name } as Container);
    this.#containers.set(id, { pod, container, ips, logFile: logPath, isRunning: !ended, isStarted: true });
    return {
      name,
      id,
      restarts: Number(noted[restartCountAnnotation] ?? 0),
      image: { ref: imageRef, sizeBytes: 0, pulledInMs: 0 },
      startedMs: millisecondsOf(startedAt),
      user: userOf(status),
      isCurrent: (current) => noted[hashAnnotation] === containerHash(current),
      exit: ended ? exitOf(status) : undefined,
    };
  }

  started(id: string, hasEndedAlready: boolean): void {
    const live = this.#containers.get(id);
    if (live !== undefined) live.isStarted = true;
    if (hasEndedAlready) this.#options.run(this.reportEnd(id));
  }

  /** @param alive the containers that are still running */
  reportEnds(alive: ReadonlySet<string>): void {
    for (const [id, { isRunning, isStarted }] of this.#containers)
      if (isRunning && isStarted && !alive.has(id)) this.#options.run(this.reportEnd(id));
  }

  /** Reports once how a container ended. @throws the runtime's error */
  async reportEnd(id: string): Promise<void> {
    if (this.#reported.has(id)) return;
    const { clock, exited, metrics } = this.#options;
    const status = await this.statusOf(id);
    if (status !== undefined && !hasEnded(status)) return;
    if (this.#reported.has(id)) return;
    this.#reported.add(id);
    const live = this.#containers.get(id);
    if (live !== undefined) live.isRunning = false;
    const exit =
      status === undefined
        ? { ...vanished, finishedMs: clock.now() }
        : await containerExit(status, clock.now());
    if (live !== undefined) metrics?.containerEnded(containerTypeOf(live.pod, live.container.name), exit);
    exited(id, exit);
  }

  /** Undefined for a container that has disappeared since it was listed. @throws other errors of the runtime */
  async statusOf(containerId: string): Promise<CriContainerStatus | undefined> {
    try {
      return (await this.#options.cri.containerStatus({ containerId })).status;
    } catch (error) {
      if (isGrpcFailure(error, 'notFound')) return undefined;
      throw error;
    }
  }
}

const vanished = {
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  message: 'The container could not be located when the pod was terminated',
} as const;

const containersOf = ({ spec }: Pod): readonly Container[] => [
  ...(spec?.initContainers ?? []),
  ...(spec?.containers ?? []),
  ...((spec?.ephemeralContainers ?? []) as unknown as readonly Container[]),
];

/** Excludes the message file: it is used for runs of an earlier kubelet, whose pod status has it already. */
const exitOf = ({ exitCode, reason, message, finishedAt }: CriContainerStatus): ContainerExit => ({
  exitCode,
  reason: reason || (exitCode === 0 ? 'Completed' : 'Error'),
  ...(message === '' ? {} : { message }),
  finishedMs: millisecondsOf(finishedAt),
});
