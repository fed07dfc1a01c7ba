/**
 * Protects the node from running out of resources: reports pressure, reclaims what is unused, and evicts pods if that
 * is not enough.
 */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Clock } from '@coxswain/apimachinery';
import type { Refusal } from '../node/admit.ts';
import type { PodEnd, PodEvent } from '../pod/pod-worker-context.ts';
import { isCritical } from '../pod/pod-source.ts';
import { refusalUnderPressure } from './admit-under-pressure.ts';
import { evictedReason, evictionMessage } from './eviction-message.ts';
import type { PodUse } from './pod-usage.ts';
import { rankPods } from './rank-pods.ts';
import type { NodePressure } from '../node/node-state.ts';
import { signals, type Observations, type Signal } from './signals.ts';
import { hasStorageLimit, storageExcess } from './storage-limits.ts';
import { calm, crossed, mostUrgent, nextState, type ThresholdState } from './threshold-state.ts';
import { isHard, withContainerThresholds, type DiskLayout, type Threshold } from './thresholds.ts';

export interface EvictionManagerOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly thresholds: readonly Threshold[];
  readonly layout: DiskLayout;
  /** How long a pressure is still reported after it was last observed. */
  readonly transitionMs: number;
  /** The maximum grace period of pods evicted for a soft threshold. */
  readonly softGraceMsMax: number;
  /** Whether local storage limits of pods are enforced. */
  readonly limitsStorage: boolean;
  readonly observe: () => Observations;
  readonly uses: (pods: readonly Pod[]) => Promise<ReadonlyMap<string, PodUse>>;
  readonly activePods: () => readonly Pod[];
  /** Resolves when the pod is gone, or fails to end. */
  readonly end: (uid: string, order: PodEnd) => Promise<void>;
  /** Removes dead containers; `removeUnusedImages` does the same for images. */
  readonly removeDeadContainers: () => Promise<void>;
  readonly removeUnusedImages: () => Promise<void>;
  readonly event: (pod: Pod, event: PodEvent) => void;
  readonly nodeEvent: (type: PodEvent['type'], reason: string, message: string) => void;
  readonly pressuresChanged: (pressures: readonly NodePressure[]) => void;
  readonly onError: (error: unknown) => void;
}

/** The interval of observations. */
export const lookEveryMs = 10_000;
/** The grace period of a pod that must go at once. */
const hardGraceMs = 1_000;

export class EvictionManager {
  readonly #options: EvictionManagerOptions;
  readonly #thresholds: readonly Threshold[];
  readonly #evictions = new Map<string, number>();
  #state: ThresholdState = calm;

  constructor(options: EvictionManagerOptions) {
    this.#options = options;
    this.#thresholds = withContainerThresholds(options.thresholds, options.layout);
  }

  /** Runs until the signal aborts. A node under pressure is observed again as soon as a pod has gone. */
  async run(): Promise<void> {
    const { clock, signal, onError } = this.#options;
    while (!signal.aborted) {
      const hasEvicted = await this.look().catch((error: unknown) => {
        onError(error);
        return false;
      });
      if (!hasEvicted) await clock.sleep(lookEveryMs, signal).catch(() => undefined);
    }
  }

  get pressures(): readonly NodePressure[] {
    return this.#state.pressures;
  }

  /** The number of evicted pods by signal. */
  get evictions(): ReadonlyMap<string, number> {
    return this.#evictions;
  }

  refusal(pod: Pod): Refusal | undefined {
    return refusalUnderPressure(pod, this.#state.pressures);
  }

  /** Resolves with whether a pod was evicted; at most one is evicted for a shortage. */
  async look(): Promise<boolean> {
    const { clock, transitionMs, observe, limitsStorage, pressuresChanged } = this.#options;
    const observations = observe();
    const before = this.#state;
    this.#state = nextState(before, this.#thresholds, observations, clock.monotonic(), transitionMs);
    if (!sameMembers(before.pressures, this.#state.pressures)) pressuresChanged(this.#state.pressures);
    if (limitsStorage && (await this.#endExcessive())) return true;
    const urgent = mostUrgent(this.#state.due);
    return urgent !== undefined && this.#relieve(urgent, observations);
  }

  /** Evicts pods that exceed their storage limits, however much space there is. */
  async #endExcessive(): Promise<boolean> {
    const { activePods, uses, layout } = this.#options;
    const limited = activePods().filter(hasStorageLimit);
    if (limited.length === 0) return false;
    const known = await uses(limited);
    const ended = limited.flatMap((pod) => {
      const use = known.get(pod.metadata?.uid ?? '');
      const excess = use && storageExcess(pod, use, layout);
      if (excess === undefined || isCritical(pod)) return [];
      this.#count(excess.signal);
      return [this.#evict(pod, { graceMs: hardGraceMs, message: excess.message, isDisruption: false })];
    });
    await Promise.all(ended);
    return ended.length > 0;
  }

  async #relieve(urgent: Threshold, observations: Observations): Promise<boolean> {
    const { activePods, uses, layout, nodeEvent, softGraceMsMax } = this.#options;
    const { resource } = signals[urgent.signal];
    nodeEvent('Warning', 'EvictionThresholdMet', `Attempting to reclaim ${resource}`);
    if (await this.#reclaim(urgent.signal)) return false;
    const pods = activePods();
    if (pods.length === 0) return false;
    const known = await uses(pods);
    const useOf = (pod: Pod) => known.get(pod.metadata?.uid ?? '');
    const pod = rankPods(pods, urgent.signal, useOf, layout).find((each) => !isCritical(each));
    if (pod === undefined) return false;
    const reported = evictionMessage(resource, pod, useOf(pod), this.#state.due, observations);
    this.#count(urgent.signal);
    const ownGraceMs = (pod.spec?.terminationGracePeriodSeconds ?? Infinity) * 1000;
    const graceMs = isHard(urgent) ? hardGraceMs : Math.min(softGraceMsMax, ownGraceMs);
    await this.#evict(pod, { ...reported, graceMs, isDisruption: true });
    return true;
  }

  /** Reclaims unused resources; resolves with whether that was enough. */
  async #reclaim(signal: Signal): Promise<boolean> {
    const { observe, onError } = this.#options;
    const steps = this.#reclaimSteps(signal);
    if (steps.length === 0) return false;
    for (const step of steps) await step().catch(onError);
    return crossed(this.#thresholds, observe(), true).length === 0;
  }

  #reclaimSteps(signal: Signal): readonly (() => Promise<void>)[] {
    if (signals[signal].condition !== 'DiskPressure') return [];
    const { layout, removeDeadContainers, removeUnusedImages } = this.#options;
    if (layout === 'one') return [removeDeadContainers, removeUnusedImages];
    const isOfNode = signal.startsWith('nodefs.');
    if (layout === 'images-apart') return isOfNode ? [] : [removeDeadContainers, removeUnusedImages];
    return signal.startsWith('imagefs.') ? [removeUnusedImages] : [removeDeadContainers];
  }

  #evict(
    pod: Pod,
    {
      message,
      annotations,
      graceMs,
      isDisruption,
    }: Pick<PodEnd, 'message' | 'graceMs' | 'isDisruption'> & Pick<PodEvent, 'annotations'>,
  ): Promise<void> {
    const { event, end } = this.#options;
    event(pod, {
      type: 'Warning',
      reason: evictedReason,
      message,
      ...(annotations === undefined ? {} : { annotations }),
    });
    return end(pod.metadata?.uid ?? '', { reason: evictedReason, message, graceMs, isDisruption });
  }

  #count(signal: string): void {
    this.#evictions.set(signal, (this.#evictions.get(signal) ?? 0) + 1);
  }
}

const sameMembers = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((each) => b.includes(each));
