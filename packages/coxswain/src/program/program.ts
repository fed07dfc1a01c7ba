import type { ProgramIo } from './program-io.ts';

/** Resolves with the exit status. */
export type RunProgram = (args: readonly string[], io: ProgramIo) => Promise<number>;

/** Its code is loaded when it is called. */
export interface Program {
  readonly summary: string;
  readonly load: () => Promise<RunProgram>;
}
