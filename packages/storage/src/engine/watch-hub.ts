import type { EventBatch, Event, KeyRange, Revision, Subscriber, Subscription } from '../storage.ts';

interface Seat {
  readonly range: KeyRange;
  readonly subscriber: Subscriber;
}

/**
 * Delivers events to the subscribers whose range contains them. Most ranges are directories (`/registry/pods/`), which
 * are found through the key's own directories, so that the cost of an event depends only on its readers.
 */
export class WatchHub {
  readonly #directories = new Map<string, Set<Seat>>();
  readonly #ranges = new Set<Seat>();

  add(range: KeyRange, subscriber: Subscriber): Subscription {
    const seat: Seat = { range, subscriber };
    if (!isDirectory(range)) {
      this.#ranges.add(seat);
      return { cancel: () => void this.#ranges.delete(seat) };
    }
    const seats = this.#directories.get(range.start) ?? new Set();
    this.#directories.set(range.start, seats.add(seat));
    return { cancel: () => this.#leave(seat, seats) };
  }

  publish(batch: EventBatch): void {
    if (batch.events.length === 1)
      this.#forEachReader(batch.events[0]!.entry.key, (seat) => seat.onEvents(batch));
    else this.#publishMany(batch);
  }

  /** A snapshot is taken of everything published so far. */
  notifySnapshot(snapshot: object): void {
    for (const { subscriber } of this.#seats()) subscriber.onSnapshot?.(snapshot);
  }

  notifyCompaction(revision: Revision): void {
    for (const { subscriber } of this.#seats()) subscriber.onCompaction?.(revision);
  }

  /** Ends all subscriptions. */
  end(reason: Error): void {
    const seats = this.#seats();
    this.#directories.clear();
    this.#ranges.clear();
    for (const { subscriber } of seats) subscriber.onEnd(reason);
  }

  #seats(): Seat[] {
    return [...this.#directories.values()].flatMap((some) => [...some]).concat([...this.#ranges]);
  }

  #leave(seat: Seat, seats: Set<Seat>): void {
    seats.delete(seat);
    if (seats.size === 0 && this.#directories.get(seat.range.start) === seats) {
      this.#directories.delete(seat.range.start);
    }
  }

  #forEachReader(key: string, report: (subscriber: Subscriber) => void): void {
    for (let slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      const seats = this.#directories.get(key.slice(0, slash + 1));
      if (seats !== undefined) for (const { subscriber } of seats) report(subscriber);
    }
    for (const { range, subscriber } of this.#ranges) {
      if (key >= range.start && key < range.end) report(subscriber);
    }
  }

  /** A revision with several events reaches each subscriber as one batch. */
  #publishMany({ revision, events }: EventBatch): void {
    const shares = new Map<Subscriber, Event[]>();
    for (const event of events) {
      this.#forEachReader(event.entry.key, (subscriber) => {
        const share = shares.get(subscriber);
        if (share === undefined) shares.set(subscriber, [event]);
        else share.push(event);
      });
    }
    for (const [subscriber, share] of shares) subscriber.onEvents({ revision, events: share });
  }
}

function isDirectory({ start, end }: KeyRange): boolean {
  return start.endsWith('/') && end === `${start.slice(0, -1)}0`;
}
