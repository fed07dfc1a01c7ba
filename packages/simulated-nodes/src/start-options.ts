import type { Clock, Random, StepObserver } from '@coxswain/apimachinery';
import type { InformerFactory, KubeClient } from '@coxswain/client';
import type { NodeSpec } from '@coxswain/kubelet/node/node-spec.ts';
import type { ClusterNetworkOptions } from './cluster-network/cluster-network.ts';
import type { FlowJudge, ServiceRouter } from './network/flow.ts';
import type { DefinedImages } from './program/defined-images.ts';

export interface StartSimulatedKubeletsOptions {
  readonly client: KubeClient;
  /** This many simulated nodes, or those in the list. */
  readonly nodes: number | readonly NodeSpec[];
  /** How long simulated containers take to stop unless their pod says otherwise. Defaults to no time at all. */
  readonly containerStopMs?: number | undefined;
  /** Decides what may pass between simulated pods; everything if unset. */
  readonly judge?: FlowJudge | undefined;
  /** Translates the addresses of Services; there are none if unset. */
  readonly router?: ServiceRouter | undefined;
  /** Called for each request that a container is sent. */
  readonly onRequest?: ClusterNetworkOptions['onRequest'];
  /** Images whose programs are functions. */
  readonly images?: DefinedImages | undefined;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly observer?: StepObserver | undefined;
  /** Shared with other components of the process, and started by the caller. Own informers if unset. */
  readonly informers?: InformerFactory;
  readonly eventsPerSecond?: number;
  readonly eventBurst?: number;
  readonly onError?: (error: unknown) => void;
}
