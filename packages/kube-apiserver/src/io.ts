import type { CommandIo } from '@coxswain/cobra';

export interface KubeApiServerIo extends CommandIo {
  /** Aborts when the program is to stop. */
  readonly signal: AbortSignal;
}
