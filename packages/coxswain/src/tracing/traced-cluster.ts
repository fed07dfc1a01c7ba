/** The cluster that is traced: one of its own, or one that runs already. */

import type { StepObserver } from '@coxswain/apimachinery';
import type { Recording } from '@coxswain/trace/recording.ts';

export interface TracedCluster {
  /** What commands are given: the kubeconfig, and what else they are to know. */
  environment(): Promise<Readonly<Record<string, string>>>;
  /** Sees the steps of commands in this process. */
  readonly observer: StepObserver;
  /** The users of commands; requests of others that nothing led to are not theirs. */
  readonly commandUser?: string;
  /** From now on, until it is ended. */
  record(): Promise<TracedPart>;
  /** Whether everything that is recorded belongs to the command. */
  readonly isOwn: boolean;
  stop(): Promise<void>;
}

export interface TracedPart {
  /** Of the undertakings so far. */
  names(): Promise<readonly string[]>;
  /** As it is now. */
  soFar(): Promise<Recording>;
  end(): Promise<void>;
}
