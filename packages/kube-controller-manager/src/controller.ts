/** The definition of a controller, and the context that it runs in. */

import type { Clock, Random, StepObserver } from '@coxswain/apimachinery';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { EventRecorder, InformerFactory, KubeClient } from '@coxswain/client';
import type { ControllerSettings } from './settings.ts';

export interface Controller {
  /** As in `--controllers`. */
  readonly name: string;
  /** Former names that are still accepted. */
  readonly aliases?: readonly string[];
  /** Disabled unless it is named. */
  readonly offByDefault?: boolean;
  /** Started only if all of these are enabled. */
  readonly featureGates?: readonly string[];
  /** The account in kube-system with which it writes; empty for the manager itself. */
  readonly serviceAccount: string;
  /**
   * Requests its informers, adds its handlers and starts its work, which continues until the signal is aborted.
   * Informers are started after all controllers.
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
  /** Records events from `component`, which may differ from the controller's name. */
  events(component: string): EventRecorder;
  /** Runs background work and reports its failure. */
  run(work: Promise<void>): void;
  readonly onError: (error: unknown, key?: string) => void;
}
