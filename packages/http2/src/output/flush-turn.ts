/**
 * Flushes all connections with pending output once per turn of the event loop, after its input was processed.
 * Connections with much output wait for a slice, and so do those of an owner who has used more of the thread than
 * others.
 */
import type { Clock } from '@coxswain/apimachinery';
import { atEndOfTurn } from '@coxswain/apimachinery/next-turn.ts';
import { atNextSlice, mayBegin } from '@coxswain/apimachinery/slices.ts';

export interface Flushable {
  /** The owner for whom it is done. */
  readonly owner: string;
  readonly isLong: boolean;
  readonly clock: Clock;
  flush(): void;
  /** A failed flush must not keep others from theirs. */
  fail(failure: unknown): void;
}

let waiting: Flushable[] = [];

export function flushThisTurn(connection: Flushable): void {
  if (waiting.push(connection) === 1) atEndOfTurn(flushAll);
}

function flushAll(): void {
  const ready = waiting;
  waiting = [];
  for (const connection of ready) {
    const { owner, clock } = connection;
    if (!connection.isLong && mayBegin(clock, owner, clock.monotonic())) flush(connection);
    else atNextSlice(clock, owner, () => flush(connection));
  }
}

function flush(connection: Flushable): void {
  try {
    connection.flush();
  } catch (failure) {
    connection.fail(failure);
  }
}
