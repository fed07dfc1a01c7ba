/** Everything else of this thread continues beside programs that never wait. */
import type { Clock } from '@coxswain/apimachinery';
import { atNextTurn } from '@coxswain/apimachinery/next-turn.ts';
import { isContended, nextSlice } from '@coxswain/apimachinery/slices.ts';
import type { ByteOutput } from './simulated-process.ts';

/** How long programs may hold up others, and the same while users are served. */
const turnMsMax = 1;
const contendedMs = 0.15;

/** When the first program of this turn of the event loop began. */
const begunMs = new WeakMap<Clock, number>();

/** To be awaited again and again: resolves when the program may go on, which it may not after it was killed. */
export async function passTurn(clock: Clock, signal?: AbortSignal): Promise<void> {
  const nowMs = clock.monotonic();
  const beganMs = begunMs.get(clock);
  if (beganMs === undefined) {
    begunMs.set(clock, nowMs);
    atNextTurn(() => begunMs.delete(clock));
  } else if (nowMs - beganMs >= (isContended(clock, nowMs) ? contendedMs : turnMsMax))
    await nextSlice(clock, 'containers');
  if (signal?.aborted) await new Promise<never>(() => undefined);
}

/** The size of the pieces in which long input and output is passed on. */
const pieceBytes = 16_384;

/** The bytes in pieces, after each of which others have their turn. */
export async function* piecesInTurns(
  bytes: Uint8Array,
  clock: Clock,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    yield bytes.subarray(at, at + pieceBytes);
    await passTurn(clock, signal);
  }
}

/** Passes the output on in such pieces. */
export const inTurns =
  (output: ByteOutput, clock: Clock, signal?: AbortSignal): ByteOutput =>
  async (bytes) => {
    for await (const piece of piecesInTurns(bytes, clock, signal)) await output(piece);
  };
