/** Reports what became of pods: as events, and in their status. */

import { isStatusError } from '@coxswain/apimachinery';
import type { PodCondition } from '@coxswain/api/core/v1/pod-status.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { PodInfo } from './cache/pod-info.ts';
import type { SchedulerApi } from './framework/scheduler-api.ts';
import type { Nominator } from './queue/nominator.ts';

/** The maximum length of an event's note. */
const eventNoteLengthMax = 1024;

export class SchedulingReports {
  readonly #api: SchedulerApi;
  readonly #nominator: Nominator;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #tasks = new Set<Promise<void>>();
  /** Pending writes of why pods are unschedulable, by uid. */
  readonly #refusals = new Map<string, Promise<void>>();

  constructor(api: SchedulerApi, nominator: Nominator, onError: ((error: unknown) => void) | undefined) {
    this.#api = api;
    this.#nominator = nominator;
    this.#onError = onError;
  }

  /** Resolves when no call is pending. */
  async settled(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.all(this.#tasks);
  }

  /** The pending write of why a pod is unschedulable; undefined if there is none. */
  pendingRefusal(uid: string): Promise<void> | undefined {
    return this.#refusals.get(uid);
  }

  failed(info: PodInfo, message: string, reason: string, nomination: string | undefined): void {
    if (nomination !== undefined) this.#nominator.set(info, nomination);
    this.failedEvent(info.pod, message);
    const { generation } = info.pod.metadata ?? {};
    const condition: PodCondition = {
      type: 'PodScheduled',
      status: 'False',
      reason,
      message,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
    };
    const nominated = info.pod.status?.nominatedNodeName ?? '';
    const nominatedNodeName = nomination === undefined || nomination === nominated ? undefined : nomination;
    const known = info.pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    const same = known?.status === 'False' && known.reason === reason && known.message === message;
    if (same && nominatedNodeName === undefined) return;
    const change = {
      ...(same ? {} : { condition }),
      ...(nominatedNodeName === undefined ? {} : { nominatedNodeName }),
    };
    const before = this.#refusals.get(info.uid) ?? Promise.resolve();
    const refusal = before.then(() => this.#api.patchPodStatus(info.pod, change));
    const settled = refusal
      .catch(() => {})
      .then(() => {
        if (this.#refusals.get(info.uid) === settled) this.#refusals.delete(info.uid);
      });
    this.#refusals.set(info.uid, settled);
    this.track(refusal);
  }

  failedEvent(pod: Pod, message: string): void {
    const note =
      message.length <= eventNoteLengthMax ? message : `${message.slice(0, eventNoteLengthMax - 4)} ...`;
    this.event(pod, 'Warning', 'FailedScheduling', 'Scheduling', note);
  }

  event(about: Pod, type: 'Normal' | 'Warning', reason: string, action: string, note: string): void {
    const schedulerName = about.spec?.schedulerName || 'default-scheduler';
    this.#api.event({ about, type, reason, action, note, schedulerName });
  }

  track(work: Promise<void>): void {
    const task = work
      .catch((error: unknown) => {
        // The pod is gone, so updates of its status don't matter.
        if (!isStatusError(error, 'NotFound')) this.#onError?.(error);
      })
      .finally(() => void this.#tasks.delete(task));
    this.#tasks.add(task);
  }
}
