import type { ProgramIo } from './program-io.ts';

/** Resolves with the exit status. */
export type RunProgram = (args: readonly string[], io: ProgramIo) => Promise<number>;

/** Its code is loaded on first use. */
export interface Program {
  readonly summary: string;
  readonly load: () => Promise<RunProgram>;
}
