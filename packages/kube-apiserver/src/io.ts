import type { CommandIo } from '@coxswain/cobra';

export interface KubeApiServerIo extends CommandIo {
  /** Aborts to stop the program. */
  readonly signal: AbortSignal;
}
