/**
 * Connections with something to say: all of them flush once a turn of the event loop, when its input was
 * served. Those with much to say wait for a slice.
 */
import type { Clock } from '@coxswain/apimachinery';
import { atEndOfTurn } from '@coxswain/apimachinery/next-turn.ts';
import { atNextSlice } from '@coxswain/apimachinery/slices.ts';

export interface Flushable {
  /** Where it takes long: for whom it is done. Undefined where it doesn't. */
  readonly longFor: string | undefined;
  readonly clock: Clock;
  flush(): void;
  /** The flush has failed, which must not keep others from theirs. */
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
    const { longFor, clock } = connection;
    if (longFor === undefined) flush(connection);
    else atNextSlice(clock, longFor, () => flush(connection));
  }
}

function flush(connection: Flushable): void {
  try {
    connection.flush();
  } catch (failure) {
    connection.fail(failure);
  }
}
