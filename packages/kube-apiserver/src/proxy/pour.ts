/**
 * Passes on the body of a response, each chunk in a turn of the user: endless responses share the thread with everything
 * else.
 */
import type { Readable } from 'node:stream';
import type { Clock } from '@coxswain/apimachinery';
import { inFairTurn } from '@coxswain/apimachinery/slices.ts';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import type { StreamSink } from '@coxswain/apiserver';

export function pour(answer: Readable, sink: StreamSink, clock: Clock, owner: string): void {
  let isOver = false;
  /** Of the chunk that waits, while the response is paused. */
  let passing: Promise<void> | undefined;
  sink.onClose(() => {
    isOver = true;
    answer.destroy();
  });
  answer.on('data', (chunk: Uint8Array) => {
    const write = (): Promise<void> | undefined => {
      if (isOver) return undefined;
      sink.write(chunk);
      return sink.drained();
    };
    const drained = inFairTurn(clock, owner, clock.monotonic(), write);
    if (drained === undefined) return;
    passing = drained;
    answer.pause();
    whenFulfilled(drained, () => {
      passing = undefined;
      answer.resume();
    });
  });
  // Node reports the end with the last chunk, even of a response that is paused.
  answer.once('end', () => {
    if (passing === undefined) sink.end();
    else whenFulfilled(passing, () => sink.end());
  });
  // The head was sent long ago, so only an aborted body tells the client.
  answer.once('close', () => {
    if (answer.readableEnded) return;
    isOver = true;
    sink.abort();
  });
  answer.on('error', () => undefined);
}
