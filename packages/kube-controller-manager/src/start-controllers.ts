/** Runs controllers with a shared set of informers. */

import {
  systemClock,
  systemRandom,
  type Clock,
  type Random,
  type StepObserver,
} from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { EventBroadcaster, InformerFactory, type EventRecorder, type KubeClient } from '@coxswain/client';
import type { Controller } from './controller.ts';
import { enabledControllers } from './controllers.ts';
import { defaultSettings, type ControllerSettings } from './settings.ts';

export interface StartControllersOptions {
  /** Reads for all controllers, and also writes if `clientFor` is undefined. */
  readonly client: KubeClient;
  /** Returns the client of a service account in kube-system: each controller writes with its own permissions. */
  readonly clientFor?: (serviceAccount: string) => KubeClient;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly observer?: StepObserver | undefined;
  /** Where metrics are registered; if undefined, nothing reads them. */
  readonly metrics?: Metrics | undefined;
  /** As `--controllers`. Defaults to all that are enabled by default. */
  readonly controllers?: readonly string[];
  readonly settings?: Partial<ControllerSettings>;
  readonly informers?: InformerFactory;
  readonly signal: AbortSignal;
  readonly onError?: (error: unknown, controller: string, key?: string) => void;
}

export interface RunningControllers {
  readonly names: readonly string[];
  readonly informers: InformerFactory;
  /** Resolves when all caches are filled. */
  readonly synced: Promise<void>;
  /** Resolves when all work has stopped, after the signal was aborted. */
  readonly stopped: Promise<void>;
}

export function startControllers(options: StartControllersOptions): RunningControllers {
  const { client, signal, observer, clock = systemClock, random = systemRandom } = options;
  const metrics = options.metrics ?? new Metrics();
  const report = (error: unknown, controller: string, key?: string) =>
    options.onError?.(error, controller, key);
  const informers =
    options.informers ??
    new InformerFactory({
      client,
      sharesEqualParts: true,
      clock,
      random,
      observer,
      onError: (error, resource) => report(error, 'informers', resource.resource),
    });
  const work: Promise<void>[] = [];
  const settings = { ...defaultSettings, ...options.settings };
  const enabled = enabledControllers(options.controllers ?? ['*'], settings.isFeatureOn);
  for (const controller of enabled) {
    const onError = (error: unknown, key?: string) => report(error, controller.name, key);
    const { serviceAccount } = controller;
    const own = (serviceAccount !== '' && options.clientFor?.(serviceAccount)) || client;
    controller.start({
      name: controller.name,
      client: own,
      informers,
      clock,
      random,
      observer,
      metrics,
      signal,
      settings,
      events: recorders(own, clock, random, signal, onError),
      run: (running) => void work.push(running.catch((error: unknown) => onError(error))),
      onError,
    });
  }
  informers.start(signal);
  return {
    names: enabled.map((controller: Controller) => controller.name),
    informers,
    synced: informers.synced(),
    stopped: (async () => {
      await Promise.all(work);
      await informers.stopped();
    })(),
  };
}

function recorders(
  client: KubeClient,
  clock: Clock,
  random: Random,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): (component: string) => EventRecorder {
  const broadcaster = new EventBroadcaster({ client, clock, random, onError, signal });
  return (component) => broadcaster.recorder(component);
}
