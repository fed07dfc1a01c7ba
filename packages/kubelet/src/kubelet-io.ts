import type { CommandIo } from '@coxswain/cobra';

export interface KubeletIo extends CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the program should stop. */
  readonly signal: AbortSignal;
}
