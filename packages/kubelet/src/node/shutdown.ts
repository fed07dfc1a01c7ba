/**
 * Graceful node shutdown: ends the pods of a machine that shuts down, lowest priority first, each group with its own
 * time.
 */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Clock } from '@coxswain/apimachinery';
import type { KubeletSettings } from '../config/kubelet-configuration.ts';
import type { PodEnd } from '../pod/pod-worker-context.ts';
import { criticalPriorityMin } from '../pod/pod-source.ts';
import type { Refusal } from './admit.ts';

/** The time for pods of this priority and above, up to that of the next group. */
export interface ShutdownGroup {
  readonly priority: number;
  readonly graceMs: number;
}

type ShutdownSettings = Pick<
  KubeletSettings,
  'shutdownGracePeriod' | 'shutdownGracePeriodCriticalPods' | 'shutdownGracePeriodByPodPriority'
>;

/** Lowest priority first; empty if the settings allow no time. */
export function shutdownGroups(settings: ShutdownSettings): readonly ShutdownGroup[] {
  const byPriority = settings.shutdownGracePeriodByPodPriority;
  if (byPriority.length > 0) {
    return byPriority
      .map(({ priority, shutdownGracePeriodSeconds }) => ({
        priority,
        graceMs: shutdownGracePeriodSeconds * 1000,
      }))
      .sort((a, b) => a.priority - b.priority);
  }
  const { shutdownGracePeriod: wholeMs, shutdownGracePeriodCriticalPods: criticalMs } = settings;
  if (wholeMs === 0 || criticalMs > wholeMs) return [];
  return [
    { priority: 0, graceMs: wholeSeconds(wholeMs - criticalMs) },
    { priority: criticalPriorityMin, graceMs: wholeSeconds(criticalMs) },
  ];
}

const wholeSeconds = (ms: number): number => Math.trunc(ms / 1000) * 1000;

/**
 * A pod belongs to the group with the highest priority that is not above its own, or to the first if it is below all.
 */
export function podsByGroup(
  groups: readonly ShutdownGroup[],
  pods: readonly Pod[],
): readonly (readonly Pod[])[] {
  const indexOf = ({ spec }: Pod) =>
    Math.max(
      0,
      groups.findLastIndex(({ priority }) => priority <= (spec?.priority ?? 0)),
    );
  return groups.map((_, index) => pods.filter((pod) => indexOf(pod) === index));
}

export interface NodeShutdownOptions {
  readonly clock: Clock;
  readonly groups: readonly ShutdownGroup[];
  readonly activePods: () => readonly Pod[];
  /** Resolves when the pod is gone, or fails to end. */
  readonly end: (uid: string, order: PodEnd) => Promise<void>;
  readonly nodeEvent: (type: 'Normal', reason: string, message: string) => void;
  /** Makes the node report that it is not ready, and why. */
  readonly stopping: (reason: string) => void;
}

const terminated = {
  reason: 'Terminated',
  message: 'Pod was terminated in response to imminent node shutdown.',
} as const;

export class NodeShutdown {
  readonly #options: NodeShutdownOptions;
  #isGoingDown = false;

  constructor(options: NodeShutdownOptions) {
    this.#options = options;
  }

  /** Whether pods get any time at all. */
  get isConfigured(): boolean {
    return this.#options.groups.some(({ graceMs }) => graceMs > 0);
  }

  /** A node that is shutting down rejects pods. */
  refusal(): Refusal | undefined {
    if (!this.#isGoingDown) return undefined;
    return { reason: 'NodeShutdown', message: 'Pod was rejected as the node is shutting down.' };
  }

  /** Resolves when all pods have ended or used up their time. */
  async run(): Promise<void> {
    const { groups, activePods, nodeEvent, stopping } = this.#options;
    this.#isGoingDown = true;
    nodeEvent('Normal', 'Shutdown', 'Shutdown manager detected shutdown event');
    stopping('node is shutting down');
    const pods = podsByGroup(groups, activePods());
    for (const [index, group] of groups.entries()) await this.#endAll(pods[index] ?? [], group);
  }

  async #endAll(pods: readonly Pod[], { graceMs }: ShutdownGroup): Promise<void> {
    if (pods.length === 0) return;
    const { clock, end } = this.#options;
    const done = new AbortController();
    const ended = Promise.all(
      pods.map(({ metadata, spec }) =>
        end(metadata?.uid ?? '', {
          ...terminated,
          graceMs: Math.min(graceMs, (spec?.terminationGracePeriodSeconds ?? Infinity) * 1000),
          isDisruption: true,
          maySucceed: true,
        }),
      ),
    );
    const overtime = clock.sleep(graceMs, done.signal).catch(() => undefined);
    await Promise.race([ended, overtime]);
    done.abort();
  }
}
