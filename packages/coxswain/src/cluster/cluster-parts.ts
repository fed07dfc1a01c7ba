/** What the components of one process share: their clients of its API server, and their watches. */
import {
  systemClock,
  systemRandom,
  type Clock,
  type Random,
  type StepObserver,
} from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { UserInfo } from '@coxswain/apiserver';
import { createClient, InformerFactory, type KubeClient } from '@coxswain/client';
import { informersDuring } from '@coxswain/client/cache/informers-during.ts';
import type { KubeApiServer } from '@coxswain/kube-apiserver';
import { observerOf, type ClusterOptions } from './cluster-options.ts';
import { controllerManagerUser, userAgentOf } from '../components/component-users.ts';
import { StoppableTransport } from '../components/stoppable-transport.ts';

export interface ClusterParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly observer: StepObserver | undefined;
  readonly log: (line: string) => void;
  /** Returns a client for that user; requests of a component that has been stopped are refused. */
  readonly client: (user: UserInfo, until: AbortSignal) => KubeClient;
  /** Returns the watches that all components share, which last as long as any of them runs. */
  readonly informers: (until: AbortSignal) => InformerFactory;
  /** Returns what most components start with. */
  readonly shared: (until: AbortSignal) => SharedParts;
  /** Reports a component's failure, unless the component was stopped. */
  readonly onError: (component: string, until?: AbortSignal) => (error: unknown) => void;
}

export interface SharedParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly observer: StepObserver | undefined;
  readonly signal: AbortSignal;
  readonly informers: InformerFactory;
}

export interface OwnClusterParts extends ClusterParts {
  /** The factory behind `informers`. */
  readonly factory: InformerFactory;
  /** Writes of components that have not been answered yet. */
  readonly writes: ReadonlySet<Promise<unknown>>;
}

/** @param signal aborts when the cluster stops */
export function clusterParts(
  options: ClusterOptions,
  apiServer: Pick<KubeApiServer, 'inProcess'>,
  signal: AbortSignal,
): OwnClusterParts {
  const { clock = systemClock, random = systemRandom, log = () => {} } = options;
  const observer = observerOf(options);
  const writes = new Set<Promise<unknown>>();
  const client = (user: UserInfo, until: AbortSignal): KubeClient =>
    createClient({
      transport: new StoppableTransport(apiServer.inProcess(user), until, writes),
      userAgent: userAgentOf(user),
      clock,
      observer,
    });
  const onError =
    (component: string, until = signal) =>
    (error: unknown) => {
      if (!until.aborted) log(`${component}: ${messageOf(error)}`);
    };
  // A single watch per kind serves all components.
  const factory = new InformerFactory({
    client: client(controllerManagerUser, signal),
    sharesEqualParts: true,
    clock,
    random,
    observer,
    // Resources turned off by `runtimeConfig` stay absent.
    absentIsEmpty: true,
    onError: onError('informers'),
  });
  const informers = (until: AbortSignal) => informersDuring(factory, until);
  const shared = (until: AbortSignal) => ({
    clock,
    random,
    observer,
    signal: until,
    informers: informers(until),
  });
  return { clock, random, observer, log, client, informers, shared, onError, factory, writes };
}
