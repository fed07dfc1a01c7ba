import type { Clock, Random, StepObserver } from '@coxswain/apimachinery';
import type { UserInfo } from '@coxswain/apiserver';
import type { InformerFactory, KubeClient } from '@coxswain/client';

/** What the components of one process are made of. */
export interface ClusterParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly observer: StepObserver | undefined;
  readonly log: (line: string) => void;
  /** Into the API server as that user; what a component that was stopped still wants is refused. */
  readonly client: (user: UserInfo, until: AbortSignal) => KubeClient;
  /** The watches that all components share, for as long as one of them runs. */
  readonly informers: (until: AbortSignal) => InformerFactory;
  /** What most components begin with. */
  readonly shared: (until: AbortSignal) => SharedParts;
  /** Tells whose failure it was, unless it was stopped. */
  readonly onError: (component: string, until?: AbortSignal) => (error: unknown) => void;
}

export interface SharedParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly observer: StepObserver | undefined;
  readonly signal: AbortSignal;
  readonly informers: InformerFactory;
}
