/** What a program receives of the surrounding process; tests and traces substitute their own. */

import type { Readable } from 'node:stream';
import type { CommandIo } from '@coxswain/cobra';

export interface ProgramIo extends CommandIo {
  readonly input: Readable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the process is asked to stop (SIGINT, SIGTERM), or its terminal is closed (SIGHUP). */
  readonly signal: AbortSignal;
}

/** The exit status of a process ended by each signal, as in shells. */
const stopSignals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** The process's own streams. The first signal requests a stop; a second one ends the process at once. */
export function processIo(): ProgramIo {
  const controller = new AbortController();
  for (const output of [process.stdout, process.stderr]) output.on('error', leaveWhenNobodyReads);
  for (const [name, exitStatus] of Object.entries(stopSignals)) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(exitStatus);
      controller.abort(new Error(`stopped by ${name}`));
    });
  }
  return {
    out: process.stdout,
    err: process.stderr,
    // Opening it takes milliseconds, and servers never read it.
    get input() {
      return process.stdin;
    },
    env: process.env,
    signal: controller.signal,
    ...(process.stdout.columns === undefined ? {} : { columns: process.stdout.columns }),
  };
}

/** A reader that closes the pipe early is not a failure of ours. */
function leaveWhenNobodyReads(failure: NodeJS.ErrnoException): void {
  if (failure.code === 'EPIPE') process.exit(0);
  throw failure;
}
