import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { isUp, type ContainerRecord } from './container-record.ts';
import { restartsAfterExit } from './restart-policy.ts';

/** The next actions for a pod. */
export interface Plan {
  readonly start: readonly ContainerRecord[];
  readonly stop: readonly ContainerRecord[];
  /** Everything has ended for good. */
  readonly finished: boolean;
  /** When to check again if nothing happens, in milliseconds of the clock. */
  readonly wakeAtMs: number | undefined;
}

const nothing: Plan = { start: [], stop: [], finished: false, wakeAtMs: undefined };

/**
 * Init containers run one by one, sidecars start before their successors, then all others start at once; ephemeral ones
 * start at any time.
 */
export function planPod(
  pod: Pod,
  records: readonly ContainerRecord[],
  nowMs: number,
  stopping: boolean,
): Plan {
  if (stopping) return planStop(records);
  const apps = records.filter(({ role }) => role === 'app');
  const initialized = apps.some(
    ({ phase, last, anew }) => anew !== true && (phase !== 'waiting' || last !== undefined),
  );
  if (apps.every((record) => isOver(pod, record))) return planStop(records);
  const plan = new PlanBuilder(nowMs);
  for (const record of records)
    if (record.role === 'ephemeral' && record.phase !== 'terminated') plan.bringUp(record);
  for (const record of records) {
    if (record.role === 'ephemeral') continue;
    if (record.role === 'app' || (record.role === 'init' && initialized)) continue;
    if (record.role === 'init' && record.phase === 'terminated' && record.exit?.exitCode === 0) continue;
    if (record.role === 'init' && isOver(pod, record)) return planStop(records);
    plan.bringUp(record);
    if (!initialized && !(record.role === 'sidecar' && record.phase === 'running' && record.started))
      return plan.done();
  }
  for (const record of apps) if (!isOver(pod, record)) plan.bringUp(record);
  return plan.done();
}

/** Sidecars outlive the other containers, and stop in reverse order of their start. */
function planStop(records: readonly ContainerRecord[]): Plan {
  const up = records.filter(isUp);
  if (up.length === 0) return { ...nothing, finished: true };
  const others = up.filter(({ role }) => role !== 'sidecar');
  const next = others.length > 0 ? others : up.slice(-1);
  return { ...nothing, stop: next.filter(({ stopping }) => !stopping) };
}

/** Whether it has ended for good. */
export const isOver = (pod: Pod, record: ContainerRecord): boolean =>
  record.phase === 'terminated' &&
  record.exit !== undefined &&
  !restartsAfterExit(pod, record, record.exit.exitCode);

class PlanBuilder {
  readonly #nowMs: number;
  readonly #start: ContainerRecord[] = [];
  #wakeAtMs: number | undefined;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  bringUp(record: ContainerRecord): void {
    if (isUp(record)) return;
    if (record.retryAtMs <= this.#nowMs) this.#start.push(record);
    else this.#wakeAtMs = Math.min(this.#wakeAtMs ?? Infinity, record.retryAtMs);
  }

  done(): Plan {
    return { ...nothing, start: this.#start, wakeAtMs: this.#wakeAtMs };
  }
}
