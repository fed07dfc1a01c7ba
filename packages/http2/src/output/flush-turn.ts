/** Connections with something to say: all of them flush once a turn of the event loop, when its input was served. */

export interface Flushable {
  flush(): void;
}

let waiting: Flushable[] = [];

export function flushThisTurn(connection: Flushable): void {
  if (waiting.push(connection) === 1) setImmediate(flushAll);
}

function flushAll(): void {
  const ready = waiting;
  waiting = [];
  for (let index = 0; index < ready.length; index++) ready[index]!.flush();
}
