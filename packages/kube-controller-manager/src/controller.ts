/** What a controller is, and what it is given. */

import type { Clock, Random, StepObserver } from '@coxswain/apimachinery';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { EventRecorder, InformerFactory, KubeClient } from '@coxswain/client';
import type { ControllerSettings } from './settings.ts';

export interface Controller {
  /** As in `--controllers`. */
  readonly name: string;
  /** Older names that still work. */
  readonly aliases?: readonly string[];
  /** Off unless it is named. */
  readonly offByDefault?: boolean;
  /** Started where all of these are on. */
  readonly featureGates?: readonly string[];
  /** Of kube-system: who its writes are from; empty for the manager itself. */
  readonly serviceAccount: string;
  /**
   * Asks for its informers, adds its handlers and starts its work, which goes on until the signal is
   * aborted. Informers run once all controllers have been started.
   */
  start(context: ControllerContext): void;
}

export interface ControllerContext {
  readonly name: string;
  /** Writes as the controller's service account, or as the manager. */
  readonly client: KubeClient;
  /** Shared by all controllers. */
  readonly informers: InformerFactory;
  readonly clock: Clock;
  readonly random: Random;
  readonly observer: StepObserver | undefined;
  /** One registry for all controllers. */
  readonly metrics: Metrics;
  readonly signal: AbortSignal;
  readonly settings: ControllerSettings;
  /** Events from `component`, which is not always the controller's name. */
  events(component: string): EventRecorder;
  /** Work that goes on in the background; its failure is reported. */
  run(work: Promise<void>): void;
  readonly onError: (error: unknown, key?: string) => void;
}
