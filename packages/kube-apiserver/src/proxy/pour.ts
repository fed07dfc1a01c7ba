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
  sink.onClose(() => answer.destroy());
  answer.on('data', (chunk: Uint8Array) => {
    const write = (): Promise<void> | undefined => {
      if (answer.destroyed) return undefined;
      sink.write(chunk);
      return sink.drained();
    };
    const drained = inFairTurn(clock, owner, clock.monotonic(), write);
    if (drained === undefined) return;
    answer.pause();
    whenFulfilled(drained, () => answer.resume());
  });
  answer.once('end', () => sink.end());
  // The head was sent long ago, so only an aborted body tells the client.
  answer.once('close', () => answer.readableEnded || sink.abort());
  answer.on('error', () => undefined);
}
