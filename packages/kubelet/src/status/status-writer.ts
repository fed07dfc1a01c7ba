import { detach } from '@coxswain/apimachinery/detach.ts';
import {
  becauseOf,
  isStatusError,
  type Cause,
  type Clock,
  type KubeObject,
  type StepObserver,
  type Timer,
} from '@coxswain/apimachinery';
import type { PodStatus } from '@coxswain/api/core/v1/pod-status.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ResourceClient } from '@coxswain/client';
import { statusPatch } from './status-patch.ts';

/** The maximum number of concurrent writes to the API. */
export const writesInFlightMax = 32;
/** The initial delay before a failed write is retried; it grows with repeated failures. */
const retryMsInitial = 1_000;
const retryMsMax = 5 * 60_000;

interface Entry {
  pod: Pod;
  /** The status in the API, as far as known, and its resource version. */
  stored: PodStatus | undefined;
  storedVersion: number;
  wanted: PodStatus | undefined;
  /** The cause of the latest status. */
  cause?: Cause | undefined;
  /** Whether to delete the object after the status. */
  remove: boolean;
  busy: boolean;
  retryMs: number;
  retry?: Timer;
  /** Why the last attempt failed; reported once. */
  failure: string | undefined;
}

export interface StatusWriterOptions {
  readonly pods: ResourceClient<Pod & KubeObject>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly observer?: StepObserver | undefined;
  /** Called with the duration of a write in milliseconds. */
  readonly written?: (tookMs: number) => void;
}

/**
 * Writes pod statuses: only the latest for each pod, one write at a time, and only if something has changed. Statuses
 * reported in the same turn are combined, so a pod that starts at once costs a single write.
 */
export class StatusWriter {
  readonly #options: StatusWriterOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #dirty = new Set<Entry>();
  #inFlight = 0;
  #scheduled = false;
  #stopped = false;

  constructor(options: StatusWriterOptions) {
    this.#options = options;
  }

  report(pod: Pod, wanted: PodStatus): void {
    const entry = this.#entry(pod);
    entry.wanted = wanted;
    this.#touch(entry);
  }

  /** Deletes the object without a grace period after its last status. */
  remove(pod: Pod): void {
    const entry = this.#entry(pod);
    entry.remove = true;
    this.#touch(entry);
  }

  /** The object is gone. */
  forget(pod: Pod): void {
    const uid = pod.metadata?.uid ?? '';
    const entry = this.#entries.get(uid);
    if (entry === undefined) return;
    entry.retry?.cancel();
    this.#entries.delete(uid);
    this.#dirty.delete(entry);
  }

  /** Whether no write is pending. */
  get isIdle(): boolean {
    return this.#inFlight === 0 && this.#dirty.size === 0;
  }

  stop(): void {
    this.#stopped = true;
    this.#dirty.clear();
  }

  #entry(pod: Pod): Entry {
    const uid = pod.metadata?.uid ?? '';
    let entry = this.#entries.get(uid);
    if (entry === undefined) {
      entry = newEntry(pod);
      this.#entries.set(uid, entry);
    }
    entry.pod = pod;
    note(entry, pod);
    return entry;
  }

  #touch(entry: Entry): void {
    if (this.#stopped) return;
    this.#dirty.add(entry);
    const { observer } = this.#options;
    if (observer?.causeOf !== undefined) {
      const { namespace, name } = entry.pod.metadata ?? {};
      entry.cause = observer.causeOf(`${namespace}/${name}`);
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#options.clock.after(0, () => {
      this.#scheduled = false;
      this.#pump();
    });
  }

  #pump(): void {
    for (const entry of this.#dirty) {
      if (this.#inFlight >= writesInFlightMax) return;
      if (entry.busy) continue;
      this.#dirty.delete(entry);
      entry.busy = true;
      this.#inFlight++;
      const { cause } = entry;
      const write = () => this.#write(entry);
      const written = cause === undefined ? write() : becauseOf(this.#options.observer, () => cause, write);
      detach(
        written.finally(() => {
          entry.busy = false;
          this.#inFlight--;
          if (this.#dirty.size > 0) this.#pump();
        }),
      );
    }
  }

  async #write(entry: Entry): Promise<void> {
    const { pod, wanted } = entry;
    const name = pod.metadata?.name ?? '';
    const pods = this.#options.pods.namespace(pod.metadata?.namespace ?? '');
    try {
      const isStored = wanted === undefined || wanted === entry.stored;
      const patch = isStored ? undefined : statusPatch(pod, entry.stored, wanted);
      if (patch !== undefined) {
        const beganMs = this.#options.clock.monotonic();
        const answer = await pods.patch(name, patch, { type: 'strategic', subresource: 'status' });
        this.#options.written?.(this.#options.clock.monotonic() - beganMs);
        note(entry, answer);
      }
      entry.retryMs = retryMsInitial;
      entry.failure = undefined;
      if (entry.remove && !this.#dirty.has(entry)) {
        await pods.delete(name, { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata?.uid ?? '' } });
        entry.remove = false;
      }
    } catch (error) {
      if (isStatusError(error, 'NotFound') || isStatusError(error, 'Conflict')) return;
      this.#failed(entry, error);
    }
  }

  #failed(entry: Entry, error: unknown): void {
    const failure = messageOf(error);
    if (failure !== entry.failure) this.#options.onError(error);
    entry.failure = failure;
    const uid = entry.pod.metadata?.uid ?? '';
    entry.retry?.cancel();
    entry.retry = this.#options.clock.after(
      entry.retryMs,
      () => this.#entries.has(uid) && this.#touch(entry),
    );
    entry.retryMs = Math.min(entry.retryMs * 2, retryMsMax);
  }
}

const newEntry = (pod: Pod): Entry => ({
  pod,
  stored: undefined,
  storedVersion: -1,
  wanted: undefined,
  remove: false,
  busy: false,
  retryMs: retryMsInitial,
  failure: undefined,
});

/** The watch lags behind the responses to our own writes: only newer versions count. */
function note(entry: Entry, pod: Pod): void {
  const version = Number(pod.metadata?.resourceVersion ?? 0);
  if (version <= entry.storedVersion) return;
  entry.storedVersion = version;
  entry.stored = pod.status ?? undefined;
}
