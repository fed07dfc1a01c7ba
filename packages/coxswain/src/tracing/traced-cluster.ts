/** The cluster that is traced: one of its own, or one that is already running. */

import type { StepObserver } from '@coxswain/apimachinery';
import type { Recording } from '@coxswain/trace/recording.ts';

export interface TracedCluster {
  /** The environment for commands: the kubeconfig, and other variables. */
  environment(): Promise<Readonly<Record<string, string>>>;
  /** Observes the steps of commands in this process. */
  readonly observer: StepObserver;
  /** The user of the commands; requests of other users without a known cause are excluded. */
  readonly commandUser?: string;
  /** Starts a recording that continues until it is ended. */
  record(): Promise<TracedPart>;
  /** Whether everything recorded belongs to the command. */
  readonly isOwn: boolean;
  stop(): Promise<void>;
}

export interface TracedPart {
  /** The names of the undertakings so far. */
  names(): Promise<readonly string[]>;
  /** Returns the current recording. */
  soFar(): Promise<Recording>;
  end(): Promise<void>;
}
