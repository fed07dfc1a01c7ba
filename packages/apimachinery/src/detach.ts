/** Work that nobody awaits. */

import { messageOf } from './message-of.ts';

/**
 * Lets `work` go on by itself. A rejection is reported, and does not end the program, as with upstream's
 * utilruntime.HandleError.
 */
export function detach(
  work: Promise<unknown> | undefined,
  onError: (error: unknown) => void = reportUnhandled,
): void {
  work?.catch(onError);
}

function reportUnhandled(error: unknown): void {
  console.error(`Unhandled Error: ${(error as Error)?.stack ?? messageOf(error)}`);
}
