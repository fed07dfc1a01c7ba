/**
 * Reads the runtime's state repeatedly: which containers have ended, which sandboxes are lost. With a runtime that
 * sends events, each event triggers a reading, and periodic ones are rare.
 */
import { detach } from '@coxswain/apimachinery/detach.ts';
import type { Clock, Timer } from '@coxswain/apimachinery';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { isGrpcFailure } from '@coxswain/grpc/status.ts';
import type { Decoded } from '@coxswain/protobuf';
import { ContainerState, containerEventTypes, type ListedContainer } from '../cri/container-messages.ts';
import type { Cri } from '../cri/cri-client.ts';
import { SandboxState, type PodSandbox } from '../cri/sandbox-messages.ts';
import { podUidLabel } from './labels.ts';

export type ListedSandbox = Decoded<typeof PodSandbox>;
export type Listed = Decoded<typeof ListedContainer>;

export interface RelistOptions {
  readonly cri: Cri;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called after each reading with the containers that are alive. */
  readonly listed: (alive: ReadonlySet<string>) => void;
  readonly sandboxLost: (podUid: string, id: string) => void;
  /** Called with the error after each failed reading, and with undefined after a successful one. */
  readonly health: (error: unknown) => void;
  /** Called with the duration of a reading in milliseconds. */
  readonly measured?: ((tookMs: number) => void) | undefined;
}

const relistEveryMs = 1_000;
const relistWithEventsEveryMs = 60_000;
const reconnectMs = 5_000;

export class Relist {
  readonly #options: RelistOptions;
  #sandboxes: readonly ListedSandbox[] = [];
  #containers: readonly Listed[] = [];
  #timer: Timer | undefined;
  #reading: Promise<void> | undefined;
  /** Follows the current reading, for callers who need to know what happened after that began. */
  #nextReading: Promise<void> | undefined;
  #hasEvents = false;
  /** Sandboxes whose end was reported. */
  #reported: ReadonlySet<string> = new Set();
  #readAtMs = 0;

  constructor(options: RelistOptions) {
    this.#options = options;
  }

  /** Performs the first reading, then continues until the signal aborts. @throws the runtime's error */
  async start(): Promise<void> {
    await this.#read();
    this.#schedule();
    this.#options.signal.addEventListener('abort', () => this.#timer?.cancel(), { once: true });
    detach(this.#followEvents());
  }

  get sandboxes(): readonly ListedSandbox[] {
    return this.#sandboxes;
  }

  get containers(): readonly Listed[] {
    return this.#containers;
  }

  /** The time of the last successful reading, in milliseconds of the monotonic clock. */
  get readAtMs(): number {
    return this.#readAtMs;
  }

  /** Starts a new reading rather than joining one in progress. Resolves when what has ended was reported. */
  now(): Promise<void> {
    if (this.#reading === undefined) return this.#readSafely();
    this.#nextReading ??= this.#reading.then(() => {
      this.#nextReading = undefined;
      return this.#readSafely();
    });
    return this.#nextReading;
  }

  #schedule(): void {
    const { clock, signal } = this.#options;
    if (signal.aborted) return;
    const delayMs = this.#hasEvents ? relistWithEventsEveryMs : relistEveryMs;
    this.#timer = clock.after(delayMs, () => whenFulfilled(this.#readSafely(), () => this.#schedule()), {
      idle: true,
    });
  }

  #readSafely(): Promise<void> {
    this.#reading ??= this.#read().then(
      () => {
        this.#reading = undefined;
        this.#options.health(undefined);
      },
      (error: unknown) => {
        this.#reading = undefined;
        if (!this.#options.signal.aborted) this.#options.health(error);
      },
    );
    return this.#reading;
  }

  async #read(): Promise<void> {
    const { cri, clock, measured } = this.#options;
    const beganMs = clock.monotonic();
    const [{ items }, { containers }] = await Promise.all([cri.listPodSandbox({}), cri.listContainers({})]);
    const sandboxesBefore = this.#sandboxes;
    this.#sandboxes = items;
    this.#containers = containers;
    this.#readAtMs = clock.monotonic();
    measured?.(this.#readAtMs - beganMs);
    this.#options.listed(new Set(this.#containers.filter(isAlive).map(({ id }) => id)));
    this.#reportLost(sandboxesBefore);
  }

  /** Reports sandboxes that have ended, once each, and those that have disappeared. */
  #reportLost(before: readonly ListedSandbox[]): void {
    const present = new Set(this.#sandboxes.map(({ id }) => id));
    const ended = this.#sandboxes.filter((sandbox) => !isReady(sandbox) && !this.#reported.has(sandbox.id));
    const vanished = before.filter((sandbox) => isReady(sandbox) && !present.has(sandbox.id));
    for (const sandbox of [...ended, ...vanished]) this.#options.sandboxLost(podUidOf(sandbox), sandbox.id);
    this.#reported = new Set(this.#sandboxes.filter((sandbox) => !isReady(sandbox)).map(({ id }) => id));
  }

  async #followEvents(): Promise<void> {
    const { cri, clock, signal } = this.#options;
    while (!signal.aborted) {
      try {
        for await (const { type } of cri.containerEvents(signal)) {
          this.#hasEvents = true;
          if (type === containerEventTypes.stopped || type === containerEventTypes.deleted)
            detach(this.now());
        }
      } catch (error) {
        if (isGrpcFailure(error, 'unimplemented')) return;
      }
      this.#hasEvents = false;
      await clock.sleep(reconnectMs, signal).catch(() => undefined);
    }
  }
}

const isAlive = ({ state }: Listed): boolean =>
  state === ContainerState.running || state === ContainerState.created;

export const isReady = ({ state }: Pick<ListedSandbox, 'state'>): boolean => state === SandboxState.ready;

export const podUidOf = ({
  labels,
}: {
  readonly labels: readonly { readonly key: string; readonly value: string }[];
}): string => labels.find(({ key }) => key === podUidLabel)?.value ?? '';
