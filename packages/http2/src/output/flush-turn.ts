/** Connections with something to say: all of them flush once a turn of the event loop, when its input was served. */

export interface Flushable {
  flush(): void;
  /** The flush has failed, which must not keep others from theirs. */
  fail(failure: unknown): void;
}

let waiting: Flushable[] = [];

export function flushThisTurn(connection: Flushable): void {
  if (waiting.push(connection) === 1) setImmediate(flushAll);
}

function flushAll(): void {
  const ready = waiting;
  waiting = [];
  for (let index = 0; index < ready.length; index++) {
    const connection = ready[index]!;
    try {
      connection.flush();
    } catch (failure) {
      connection.fail(failure);
    }
  }
}
