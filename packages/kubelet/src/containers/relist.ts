/**
 * What the runtime has, read again and again: which containers have ended, which sandboxes are lost. A runtime that
 * tells its events is read at once when it does, and seldom otherwise.
 */
import type { Clock, Timer } from '@coxswain/apimachinery';
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
  /** Which containers live, after each reading. */
  readonly listed: (alive: ReadonlySet<string>) => void;
  readonly sandboxLost: (podUid: string, id: string) => void;
  /** Told after each reading that failed, and with undefined after one that did not. */
  readonly health: (error: unknown) => void;
  /** How long a reading took, milliseconds. */
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
  /** After the one that goes on, for who wants to know what has happened since that began. */
  #nextReading: Promise<void> | undefined;
  #hasEvents = false;
  /** Sandboxes whose end was told. */
  #told: ReadonlySet<string> = new Set();
  #readAtMs = 0;

  constructor(options: RelistOptions) {
    this.#options = options;
  }

  /** Reads for the first time, and goes on until the signal aborts. @throws what the runtime answers */
  async start(): Promise<void> {
    await this.#read();
    this.#schedule();
    this.#options.signal.addEventListener('abort', () => this.#timer?.cancel(), { once: true });
    void this.#followEvents();
  }

  get sandboxes(): readonly ListedSandbox[] {
    return this.#sandboxes;
  }

  get containers(): readonly Listed[] {
    return this.#containers;
  }

  /** When it was last read successfully, milliseconds of the monotonic clock. */
  get readAtMs(): number {
    return this.#readAtMs;
  }

  /** Reads what there is now: not what a reading finds that has begun already. Resolves when what has ended was told. */
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
    this.#timer = clock.after(delayMs, () => void this.#readSafely().then(() => this.#schedule()), {
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
    this.#tellLost(sandboxesBefore);
  }

  /** Those that have ended, each once, and those that are not there any more. */
  #tellLost(before: readonly ListedSandbox[]): void {
    const present = new Set(this.#sandboxes.map(({ id }) => id));
    const ended = this.#sandboxes.filter((sandbox) => !isReady(sandbox) && !this.#told.has(sandbox.id));
    const vanished = before.filter((sandbox) => isReady(sandbox) && !present.has(sandbox.id));
    for (const sandbox of [...ended, ...vanished]) this.#options.sandboxLost(podUidOf(sandbox), sandbox.id);
    this.#told = new Set(this.#sandboxes.filter((sandbox) => !isReady(sandbox)).map(({ id }) => id));
  }

  async #followEvents(): Promise<void> {
    const { cri, clock, signal } = this.#options;
    while (!signal.aborted) {
      try {
        for await (const { type } of cri.containerEvents(signal)) {
          this.#hasEvents = true;
          if (type === containerEventTypes.stopped || type === containerEventTypes.deleted) void this.now();
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
