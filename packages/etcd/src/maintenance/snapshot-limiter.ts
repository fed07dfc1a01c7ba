import type { Clock } from '@coxswain/apimachinery';
import { GrpcError, grpcCodes } from '@coxswain/grpc/status.ts';

/** While a snapshot is made and sent, it takes as much disk space as the store. */
export const snapshotsMax = 8;
/** A client that has read nothing for this long is replaced by another one. */
export const snapshotPatienceMs = 30_000;

export interface SnapshotPlace {
  /** The client is slower than the server; `giveUp` is called if somebody else needs the slot. */
  wait(giveUp: (reason: Error) => void): void;
  goOn(): void;
  leave(): void;
}

interface Waiting {
  readonly sinceMs: number;
  readonly giveUp: (reason: Error) => void;
}

/** Limits the number of concurrent snapshots, so that clients that do not read them cannot fill the disk. */
export class SnapshotLimiter {
  readonly #clock: Clock;
  readonly #taken = new Map<SnapshotPlace, Waiting | undefined>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws GrpcError if all slots are taken by clients that read */
  take(): SnapshotPlace {
    if (this.#taken.size >= snapshotsMax) this.#endIdle();
    const place: SnapshotPlace = {
      wait: (giveUp) => {
        if (this.#taken.has(place)) this.#taken.set(place, { sinceMs: this.#clock.monotonic(), giveUp });
      },
      goOn: () => {
        if (this.#taken.has(place)) this.#taken.set(place, undefined);
      },
      leave: () => void this.#taken.delete(place),
    };
    this.#taken.set(place, undefined);
    return place;
  }

  #endIdle(): void {
    const before = this.#clock.monotonic() - snapshotPatienceMs;
    for (const [place, waiting] of this.#taken) {
      if (waiting === undefined || waiting.sinceMs > before) continue;
      this.#taken.delete(place);
      return waiting.giveUp(exhausted('the snapshot was not read, and another client waits for one'));
    }
    throw exhausted(`etcdserver: too many requests: ${snapshotsMax} snapshots are being sent`);
  }
}

const exhausted = (message: string): GrpcError => new GrpcError(grpcCodes.resourceExhausted, message);
