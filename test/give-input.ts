import type { Writable } from 'node:stream';

/** Gives a child process its whole input. It may end before it has read that (`EPIPE`): its output and status tell. */
export function giveInput({ stdin }: { readonly stdin: Writable }, input = ''): void {
  stdin.on('error', () => undefined);
  stdin.end(input);
}
