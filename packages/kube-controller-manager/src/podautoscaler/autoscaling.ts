/** Reconciles one autoscaler: reads its target's scale and metrics, decides, and updates the status. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { AutoscalingMetrics, scaleAction, type ScaleAction, type ScaleError } from './autoscaling-metrics.ts';
import {
  parseLabelSelector,
  semanticDeepEqual,
  type LabelSelector,
  type StepDetail,
} from '@coxswain/apimachinery';
import { formatTime } from '@coxswain/apimachinery/time.ts';
import { referenceTo, type EventRecorder, type Lister } from '@coxswain/client';
import type { ControllerContext } from '../controller.ts';
import type { Pod } from '../objects.ts';
import {
  autoscalers,
  withCondition,
  type Autoscaler,
  type AutoscalerStatus,
  type Behavior,
  type Condition,
  type MetricStatus,
  type ScalingRules,
} from './autoscaler.ts';
import { MetricFailure, proposalOf, type Proposal, type Target } from './metric-proposal.ts';
import { metricsClient, type MetricsClient } from './metrics-client.ts';
import { tolerancesOf } from './replica-calculator.ts';
import { ScaleHistory } from './scale-history.ts';
import { rescale, ScaleTargets, type Scale } from './scale-target.ts';

const minReplicasDefault = 1;

/** The desired number of replicas, the reason, and the measurements. */
interface Decision {
  readonly replicas: number;
  readonly reason: string;
  readonly metrics: readonly MetricStatus[] | null;
  readonly rescales: boolean;
}

export class Autoscaling {
  readonly #context: ControllerContext;
  readonly #pods: Lister<Pod>;
  readonly #targets: ScaleTargets;
  readonly #metrics: MetricsClient;
  readonly #counts: AutoscalingMetrics;
  readonly #events: EventRecorder;
  readonly #histories = new Map<string, ScaleHistory>();
  /** The selectors of the targets by autoscaler: no two may select the same pods. */
  readonly #selectors = new Map<string, LabelSelector>();

  constructor(context: ControllerContext, pods: Lister<Pod>) {
    this.#context = context;
    this.#pods = pods;
    this.#targets = new ScaleTargets(context.client);
    this.#counts = new AutoscalingMetrics(context.metrics);
    this.#metrics = metricsClient(context.client.rest);
    this.#events = context.events('horizontal-pod-autoscaler');
  }

  forget(key: string): void {
    this.#histories.delete(key);
    this.#selectors.delete(key);
  }

  /** @throws Error if it failed; the status reports it, too */
  async reconcileAutoscaler(key: string, autoscaler: Autoscaler): Promise<void> {
    const { clock } = this.#context;
    const look = new Look(autoscaler, this.#context, this.#events);
    const startMs = clock.monotonic();
    let error: ScaleError = 'internal';
    try {
      await this.#reconcile(key, look);
      error = 'none';
    } finally {
      this.#context.observer?.note?.(look.findings);
      this.#counts.reconciled(look.action, error, clock.monotonic() - startMs);
    }
  }

  async #reconcile(key: string, look: Look): Promise<void> {
    const { autoscaler } = look;
    const { kind, name } = autoscaler.spec.scaleTargetRef;
    const reference = `${kind}/${autoscaler.metadata.namespace}/${name}`;
    const target = await this.#targets.get(autoscaler).catch(async (failure: Error) => {
      look.report('Warning', 'FailedGetScale', failure.message);
      const text = `the HPA controller was unable to get the target's current scale: ${failure.message}`;
      look.condition('AbleToScale', 'False', 'FailedGetScale', text);
      await look.writeStatus();
      throw new Error(`failed to query scale subresource for ${reference}: ${failure.message}`, {
        cause: failure,
      });
    });
    look.condition(
      'AbleToScale',
      'True',
      'SucceededGetScale',
      "the HPA controller was able to get the target's current scale",
    );
    const current = target.scale.spec?.replicas ?? 0;
    const history = this.#historyOf(key, current);
    const decision = await this.#decide(key, look, target.scale, history);
    const { replicas, reason } = decision;
    this.#context.observer?.note?.({ current, wanted: replicas, reason });
    this.#counts.desired(
      autoscaler.metadata.namespace ?? '',
      autoscaler.metadata.name ?? '',
      decision.replicas,
    );
    if (decision.rescales) {
      try {
        await rescale(target.client, target.scale, decision.replicas);
      } catch (failure) {
        const message = messageOf(failure);
        const { replicas, reason, metrics } = decision;
        look.report(
          'Warning',
          'FailedRescale',
          `New size: ${replicas}; reason: ${reason}; error: ${message}`,
        );
        const text = `the HPA controller was unable to update the target scale: ${message}`;
        look.condition('AbleToScale', 'False', 'FailedUpdateScale', text);
        look.measured(current, metrics);
        await look.writeStatus();
        throw new Error(`failed to rescale ${reference}: ${message}`, { cause: failure });
      }
      look.action = scaleAction(decision.replicas, current);
      this.#rescaled(look, history, current, decision);
    }
    look.decided(
      current,
      decision.rescales ? decision.replicas : current,
      decision.metrics,
      decision.rescales,
    );
    await look.writeStatus();
    look.throwProblem();
  }

  #historyOf(key: string, current: number): ScaleHistory {
    let history = this.#histories.get(key);
    if (history === undefined) this.#histories.set(key, (history = new ScaleHistory()));
    history.begin(current, this.#context.clock.now());
    return history;
  }

  #rescaled(look: Look, history: ScaleHistory, current: number, { replicas, reason }: Decision): void {
    const text = `the HPA controller was able to update the target scale to ${replicas}`;
    look.condition('AbleToScale', 'True', 'SucceededRescale', text);
    look.report('Normal', 'SuccessfulRescale', `New size: ${replicas}; reason: ${reason}`);
    const { behavior } = look.autoscaler.spec;
    if (behavior === undefined) return;
    history.changed(current, replicas, this.#rulesOf(behavior), this.#context.clock.now());
  }

  #rulesOf({ scaleUp, scaleDown }: Behavior): { readonly up: ScalingRules; readonly down: ScalingRules } {
    const { downscaleStabilizationMs } = this.#context.settings.autoscaler;
    return {
      up: scaleUp ?? {},
      down: { stabilizationWindowSeconds: downscaleStabilizationMs / 1000, ...scaleDown },
    };
  }

  async #decide(key: string, look: Look, scale: Scale, history: ScaleHistory): Promise<Decision> {
    const { minReplicas = minReplicasDefault, maxReplicas } = look.autoscaler.spec;
    const current = scale.spec?.replicas ?? 0;
    if (current === 0) {
      const text = 'scaling is disabled since the replica count of the target is zero';
      look.condition('ScalingActive', 'False', 'ScalingDisabled', text);
      return { replicas: 0, reason: '', metrics: null, rescales: false };
    }
    if (current > maxReplicas) {
      const reason = 'Current number of replicas above Spec.MaxReplicas';
      return { replicas: maxReplicas, reason, metrics: null, rescales: true };
    }
    if (current < minReplicas) {
      const reason = 'Current number of replicas below Spec.MinReplicas';
      return { replicas: minReplicas, reason, metrics: null, rescales: true };
    }
    const { best, metrics } = await this.#ask(key, look, scale);
    const desired = Math.max(0, best.replicas);
    const reason =
      desired > current ? `${best.metric} above target` : desired < current ? 'All metrics below target' : '';
    const bounds = { currentReplicas: current, minReplicas, maxReplicas };
    const replicas = this.#normalize(look, history, desired, bounds);
    return { replicas, reason, metrics, rescales: replicas !== current };
  }

  #normalize(
    look: Look,
    history: ScaleHistory,
    desired: number,
    bounds: Parameters<ScaleHistory['normalizeByRules']>[1],
  ): number {
    const { behavior } = look.autoscaler.spec;
    const nowMs = this.#context.clock.now();
    const windowMs = this.#context.settings.autoscaler.downscaleStabilizationMs;
    const { replicas, ableToScale, scalingLimited } =
      behavior === undefined
        ? history.normalizeByDefault(desired, bounds, windowMs, nowMs)
        : history.normalizeByRules(desired, bounds, this.#rulesOf(behavior), nowMs);
    look.condition('AbleToScale', 'True', ableToScale.reason, ableToScale.message);
    const { status, reason, message } = scalingLimited;
    look.condition('ScalingLimited', status ? 'True' : 'False', reason, message);
    return replicas;
  }

  /**
   * Returns the result of the metric that proposes the most replicas. @throws Error if too few metrics are available
   */
  async #ask(key: string, look: Look, scale: Scale) {
    const specs = look.autoscaler.spec.metrics ?? [];
    const current = scale.spec?.replicas ?? 0;
    let best: Proposal | undefined;
    let firstFailure: MetricFailure | undefined;
    let failed = 0;
    let metrics: readonly MetricStatus[] | null = null;
    try {
      const target = this.#targetOf(key, look, scale);
      const statuses: MetricStatus[] = [];
      for (const spec of specs) {
        const found = await this.#measured(spec, target).catch((failure: unknown) => {
          if (!(failure instanceof MetricFailure)) throw failure;
          look.report('Warning', failure.reason, failure.message);
          failed++;
          firstFailure ??= failure;
          return undefined;
        });
        // Metrics without a measurement keep their position.
        statuses.push(found?.status ?? { type: '' });
        if (found !== undefined && (best === undefined || found.replicas > best.replicas)) best = found;
      }
      metrics = statuses;
      const summary = `invalid metrics (${failed} invalid out of ${specs.length}), first error is: ${firstFailure?.summary}`;
      if (best === undefined || (failed > 0 && best.replicas < current)) {
        if (firstFailure === undefined) throw new Error('no metrics');
        const text = `the HPA was unable to compute the replica count: ${firstFailure.message}`;
        look.condition('ScalingActive', 'False', firstFailure.reason, text);
        throw new Error(summary);
      }
      if (failed > 0) look.problem = new Error(summary);
    } catch (failure) {
      const message = messageOf(failure);
      look.measured(current, metrics);
      await look.writeStatus();
      look.report('Warning', 'FailedComputeMetricsReplicas', message);
      throw new Error(`failed to compute desired number of replicas based on listed metrics: ${message}`, {
        cause: failure,
      });
    }
    const text = `the HPA was able to successfully calculate a replica count from ${best.metric}`;
    look.condition('ScalingActive', 'True', 'ValidMetricFound', text);
    return { best, metrics };
  }

  async #measured(spec: Parameters<typeof proposalOf>[0], target: Target): Promise<Proposal> {
    const { clock } = this.#context;
    const startMs = clock.monotonic();
    let action: ScaleAction = 'none';
    let error: ScaleError = 'internal';
    try {
      const found = await this.#propose(spec, target);
      action = scaleAction(found.replicas, target.specReplicas);
      error = 'none';
      return found;
    } catch (failure) {
      if (failure instanceof MetricFailure && failure.reason === 'InvalidMetricSourceType') error = 'spec';
      throw failure;
    } finally {
      this.#counts.computed(spec.type, action, error, clock.monotonic() - startMs);
    }
  }

  #propose(spec: Parameters<typeof proposalOf>[0], target: Target): Promise<Proposal> {
    const { clock, settings } = this.#context;
    return proposalOf(spec, target, {
      metrics: this.#metrics,
      settings: settings.autoscaler,
      now: () => clock.now(),
    });
  }

  /** @throws Error for an unusable selector, which the condition reports */
  #targetOf(key: string, look: Look, scale: Scale): Target {
    const { namespace = '' } = look.autoscaler.metadata;
    const text = scale.status?.selector ?? '';
    const selector = this.#selectorOf(key, look, text, namespace);
    return {
      namespace,
      selector,
      specReplicas: scale.spec?.replicas ?? 0,
      statusReplicas: scale.status?.replicas ?? 0,
      tolerances: tolerancesOf(look.autoscaler.spec.behavior, this.#context.settings.autoscaler.tolerance),
      pods: () => this.#pods.list(namespace, selector),
    };
  }

  #selectorOf(key: string, look: Look, text: string, namespace: string): LabelSelector {
    const refuse = (event: string, reason: string, problem: string, message = problem): never => {
      look.report('Warning', event, problem);
      look.condition('ScalingActive', 'False', reason, message);
      throw new Error(problem);
    };
    if (text === '') {
      const message = "the HPA target's scale is missing a selector";
      return refuse('SelectorRequired', 'InvalidSelector', 'selector is required', message);
    }
    const selector = parseLabelSelector(text);
    this.#selectors.set(key, selector);
    const pods = this.#pods.list(namespace, selector);
    const selecting = [...this.#selectors].filter(
      ([other, one]) =>
        other.startsWith(`${namespace}/`) && pods.some(({ metadata }) => one.matches(metadata.labels)),
    );
    if (selecting.length > 1) {
      const names = selecting.map(([other]) => other);
      const problem = `pods by selector ${text} are controlled by multiple HPAs: [${names.join(' ')}]`;
      return refuse('AmbiguousSelector', 'AmbiguousSelector', problem);
    }
    return selector;
  }
}

/** Collects the changes of one sync to the status, which is written once at its end if necessary. */
class Look {
  readonly autoscaler: Autoscaler;
  /** Some metrics failed, and the others decided. */
  problem: Error | undefined;
  /** The action regarding the number of replicas. */
  action: ScaleAction = 'none';
  readonly #context: ControllerContext;
  readonly #events: EventRecorder;
  readonly #before: AutoscalerStatus;
  #status: AutoscalerStatus;

  constructor(autoscaler: Autoscaler, context: ControllerContext, events: EventRecorder) {
    this.autoscaler = autoscaler;
    this.#context = context;
    this.#events = events;
    this.#before = autoscaler.status ?? { desiredReplicas: 0 };
    this.#status = this.#before;
  }

  /** For observers: why it did not scale, or not as far as the metrics ask. */
  get findings(): StepDetail {
    const limiting = ({ type, status }: Condition) => (status === 'True') === (type === 'ScalingLimited');
    const limits = (this.#status.conditions ?? []).filter(limiting);
    return {
      conditions: this.#status.conditions,
      ...(limits.length > 0 && { because: limits.map(({ reason }) => reason) }),
    };
  }

  throwProblem(): void {
    if (this.problem !== undefined) throw this.problem;
  }

  report(type: 'Normal' | 'Warning', reason: string, message: string): void {
    const about = referenceTo(this.autoscaler, 'HorizontalPodAutoscaler', 'autoscaling/v2');
    this.#events.event(about, type, reason, message);
  }

  condition(type: string, status: string, reason: string, message: string): void {
    const conditions: readonly Condition[] = this.#status.conditions ?? [];
    const now = formatTime(this.#context.clock.now());
    this.#status = {
      ...this.#status,
      conditions: withCondition(conditions, { type, status, reason, message }, now),
    };
  }

  measured(currentReplicas: number, metrics: readonly MetricStatus[] | null): void {
    this.decided(currentReplicas, this.#status.desiredReplicas ?? 0, metrics, false);
  }

  decided(
    currentReplicas: number,
    desiredReplicas: number,
    currentMetrics: readonly MetricStatus[] | null,
    rescaled: boolean,
  ): void {
    const { lastScaleTime: before, conditions = [] } = this.#status;
    const lastScaleTime = rescaled ? formatTime(this.#context.clock.now()) : before;
    this.#status = {
      currentReplicas,
      desiredReplicas,
      currentMetrics,
      conditions,
      ...(lastScaleTime === undefined ? {} : { lastScaleTime }),
    };
  }

  async writeStatus(): Promise<void> {
    if (semanticDeepEqual(this.#before, this.#status)) return;
    const client = this.#context.client.resource<Autoscaler>(autoscalers);
    const { namespace = '', name } = this.autoscaler.metadata;
    try {
      await client.namespace(namespace).updateStatus({ ...this.autoscaler, status: this.#status });
    } catch (failure) {
      const message = messageOf(failure);
      this.report('Warning', 'FailedUpdateStatus', message);
      throw new Error(`failed to update status for ${name}: ${message}`, { cause: failure });
    }
  }
}
