import {
  parseApiVersion,
  systemClock,
  systemRandom,
  type Clock,
  type KubeObject,
  type Random,
  type StepObserver,
} from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { InformerFactory, type KubeClient } from '@coxswain/client';
import { clientApi } from './client-api.ts';
import type { KubeSchedulerConfiguration } from './config/configuration.ts';
import type { PluginFactory } from './config/default-plugins.ts';
import { completeConfiguration } from './config/load-configuration.ts';
import { completeProfiles } from './config/profiles.ts';
import { configuredExtenders } from './extenders/configured-extenders.ts';
import type { Extender } from './framework/extender.ts';
import { followedResources, ObjectTables, type FollowedResource } from './object-tables.ts';
import { queueTimes } from './queue/queue-times.ts';
import { SchedulerMetrics } from './metrics/scheduler-metrics.ts';
import { Scheduler } from './scheduler.ts';

export interface StartSchedulerOptions {
  readonly client: KubeClient;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly observer?: StepObserver | undefined;
  /** Where metrics are registered; if undefined, nothing is counted. */
  readonly metrics?: Metrics | undefined;
  readonly config?: KubeSchedulerConfiguration | undefined;
  /** Plugins in addition to the built-in ones; a profile of `config` enables them by name. */
  readonly plugins?: readonly PluginFactory[];
  /** In addition to those of `config`. */
  readonly extenders?: readonly Extender[];
  /** How long an unschedulable pod rests before it is retried without any event. Defaults to five minutes. */
  readonly restingMsMax?: number;
  /** Defaults to the gates that are enabled by default. */
  readonly isFeatureOn?: ((gate: string) => boolean) | undefined;
  /** Shared with other components of the process, and started by their creator. Defaults to informers of its own. */
  readonly informers?: InformerFactory;
  readonly onError?: (error: unknown) => void;
}

export interface RunningScheduler {
  readonly scheduler: Scheduler;
  /** All pods that are known. */
  readonly pods: () => readonly Pod[];
  /** Resolves when all caches are filled and pods are being scheduled. */
  readonly synced: Promise<void>;
  /** Resolves when all work has stopped after the signal. */
  readonly stopped: Promise<void>;
}

/**
 * Runs the scheduler with a client.
 * @throws Error for an unsupported configuration
 */
export function startScheduler(options: StartSchedulerOptions): RunningScheduler {
  const { client, signal, observer } = options;
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const onError = options.onError ?? (() => {});
  const informers =
    options.informers ??
    new InformerFactory({ client, sharesEqualParts: true, clock, random, observer, onError });
  const { isFeatureOn, plugins, restingMsMax } = options;
  const config = completeConfiguration(options.config, isFeatureOn);
  const objects = new ObjectTables(isFeatureOn?.('DRAExtendedResource'));
  const api = clientApi(client, informers, clock, random, onError);
  const profiles = completeProfiles(config, plugins);
  const extenders = [
    ...configuredExtenders(config.extenders ?? [], clock, observer),
    ...(options.extenders ?? []),
  ];
  const metrics = options.metrics === undefined ? undefined : new SchedulerMetrics(options.metrics, profiles);
  const scheduler = new Scheduler({
    api,
    objects,
    profiles,
    extenders,
    times: queueTimes(config, restingMsMax),
    clock,
    random,
    isFeatureOn,
    observer,
    metrics,
    onError,
  });
  const isFollowed = ({ gate }: FollowedResource) => gate === undefined || isFeatureOn?.(gate) !== false;
  const filled = follow(scheduler, objects, informers, followedResources.filter(isFollowed));
  if (options.informers === undefined) informers.start(signal);
  const started = untilAborted(filled, signal);
  const running = started.then(() => scheduler.run(signal));
  const informersStopped = options.informers === undefined ? informers.stopped() : undefined;
  const pods = () => informers.informer<Pod & KubeObject>(podsResource).lister.list();
  return {
    scheduler,
    pods,
    synced: started,
    stopped: Promise.all([running, informersStopped]).then(() => {}),
  };
}

const podsResource = { group: '', version: 'v1', resource: 'pods' } as const;

/** Notifies the scheduler of all changes. Returns a promise of the initial objects having been handled. */
function follow(
  scheduler: Scheduler,
  objects: ObjectTables,
  informers: InformerFactory,
  followed: readonly FollowedResource[],
): Promise<unknown> {
  const nodes = informers.informer<Node & KubeObject>({ group: '', version: 'v1', resource: 'nodes' });
  nodes.addHandler({
    added: (node) => scheduler.nodeChanged(undefined, node),
    updated: (before, after) => scheduler.nodeChanged(before, after),
    deleted: (node) => scheduler.nodeChanged(node, undefined),
  });
  const pods = informers.informer<Pod & KubeObject>(podsResource);
  pods.addHandler({
    added: (pod) => scheduler.podChanged(undefined, pod),
    updated: (before, after) => scheduler.podChanged(before, after),
    deleted: (pod) => scheduler.podChanged(pod, undefined),
  });
  const others = followed.map(({ kind, apiVersion, resource, event }) => {
    const informer = informers.informer<KubeObject>({ ...parseApiVersion(apiVersion), resource });
    const report = (action: 'add' | 'update' | 'delete', before: unknown, after: unknown) => {
      if (event !== undefined) scheduler.otherChanged({ resource: event, action, before, after });
    };
    informer.addHandler({
      added: (object) =>
        scheduler.apply(() => {
          objects.set(kind, object);
          report('add', undefined, object);
        }),
      updated: (before, after) =>
        scheduler.apply(() => {
          objects.set(kind, after);
          report('update', before, after);
        }),
      deleted: (object) =>
        scheduler.apply(() => {
          objects.delete(kind, object);
          report('delete', object, undefined);
        }),
    });
    return informer.synced;
  });
  return Promise.all([nodes.synced, pods.synced, ...others]);
}

/** Also resolves when there is nothing left to wait for. */
const untilAborted = (work: Promise<unknown>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    work.then(() => resolve(), reject);
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
