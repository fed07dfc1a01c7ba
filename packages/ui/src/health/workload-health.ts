/** The health of any object whose numbers and conditions show how far it is from its desired state. */

import type { KubeObject } from '@coxswain/apimachinery';
import { inLanguages } from '../language/language.ts';
import type { Health } from './health.ts';

const text = inLanguages(
  {
    ready: (ready: number, wanted: number) => `${ready} of ${wanted} pods are ready`,
    updated: (updated: number, wanted: number) => `${updated} of ${wanted} pods are updated`,
    rollingOut: 'Rolling out',
    held: (finalizers: string) => `It is kept until these finalizers are removed: ${finalizers}`,
    failed: (count: number) => (count === 1 ? '1 pod failed' : `${count} pods failed`),
    suspended: 'It creates no Jobs while spec.suspend is true',
    notRun: 'Not run yet',
  },
  {
    ready: (ready: number, wanted: number) => `${wanted} 个 Pod 中有 ${ready} 个就绪`,
    updated: (updated: number, wanted: number) => `${wanted} 个 Pod 中有 ${updated} 个已更新`,
    rollingOut: '正在滚动更新',
    held: (finalizers: string) => `在移除以下终结器之前会一直保留：${finalizers}`,
    failed: (count: number) => `${count} 个 Pod 失败`,
    suspended: 'spec.suspend 为 true 时不会创建 Job',
    notRun: '尚未运行',
  },
);

export interface AnyCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

interface AnyWorkload extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly completions?: number;
    readonly suspend?: boolean;
  };
  readonly status?: {
    readonly conditions?: readonly AnyCondition[];
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
    readonly desiredNumberScheduled?: number;
    readonly numberReady?: number;
    readonly phase?: string;
    readonly succeeded?: number;
    readonly failed?: number;
    readonly lastScheduleTime?: string;
  };
}

/** Conditions whose `True` indicates trouble. */
const bad: ReadonlySet<string> = new Set(['ReplicaFailure', 'Failed', 'FailureTarget']);

/** Conditions whose `False` indicates trouble or waiting. */
const good: Readonly<Record<string, Health['tone']>> = {
  Progressing: 'bad',
  Available: 'warn',
  Ready: 'warn',
};

export function workloadHealth(kind: string, object: KubeObject): Health {
  const workload = object as AnyWorkload;
  const { metadata, status } = workload;
  if (metadata.deletionTimestamp !== undefined)
    return { tone: 'info', state: 'Terminating', reason: whyNotGone(workload) };
  const troubles = (status?.conditions ?? []).flatMap(({ type, status, reason, message }) => {
    const tone = bad.has(type) && status === 'True' ? 'bad' : status === 'False' ? good[type] : undefined;
    return tone === undefined ? [] : [{ tone, state: reason || type, reason: message ?? '' }];
  });
  // A failure to create pods explains why too few are available, whichever condition comes first.
  const trouble = troubles.find(({ tone }) => tone === 'bad') ?? troubles[0];
  if (trouble !== undefined) return trouble;
  if (kind === 'Job') return jobHealth(workload);
  if (kind === 'CronJob') return cronJobHealth(workload);
  const [ready, wanted] = countsOf(kind, workload);
  if (wanted !== undefined && ready < wanted)
    return { tone: 'warn', state: `${ready}/${wanted}`, reason: text().ready(ready, wanted) };
  const { updatedReplicas: updated = 0 } = status ?? {};
  if (kind === 'Deployment' && wanted !== undefined && updated < wanted)
    return { tone: 'info', state: text().rollingOut, reason: text().updated(updated, wanted) };
  if (status?.phase === 'Pending' || status?.phase === 'Lost')
    return { tone: status.phase === 'Lost' ? 'bad' : 'warn', state: status.phase, reason: '' };
  return {
    tone: 'ok',
    state: wanted === undefined ? (status?.phase ?? '') : `${ready}/${wanted}`,
    reason: '',
  };
}

/** What a deleted object waits for: a namespace says it in conditions, others are held by finalizers. */
function whyNotGone({ metadata: { finalizers = [] }, status }: AnyWorkload): string {
  const waits = status?.conditions?.findLast(
    ({ type, status }) => /^Namespace.*(?:Remaining|Failure)$/.test(type) && status === 'True',
  );
  return waits?.message ?? (finalizers.length === 0 ? '' : text().held(finalizers.join(', ')));
}

/** A Job that has neither completed nor failed; a condition says the latter. */
function jobHealth({ spec, status }: AnyWorkload): Health {
  const isComplete = status?.conditions?.some(({ type, status }) => type === 'Complete' && status === 'True');
  if (isComplete === true) return { tone: 'ok', state: 'Complete', reason: '' };
  if (spec?.suspend === true) return { tone: 'idle', state: 'Suspended', reason: '' };
  const { succeeded = 0, failed = 0 } = status ?? {};
  const state = `${succeeded}/${spec?.completions ?? 1}`;
  return failed > 0
    ? { tone: 'warn', state, reason: text().failed(failed) }
    : { tone: 'info', state, reason: '' };
}

/** Why a CronJob does not run, such as an invalid schedule, is only told by events. */
function cronJobHealth({ spec, status }: AnyWorkload): Health {
  if (spec?.suspend === true) return { tone: 'idle', state: 'Suspended', reason: text().suspended };
  return status?.lastScheduleTime === undefined
    ? { tone: 'info', state: text().notRun, reason: '' }
    : { tone: 'ok', state: '', reason: '' };
}

/** Kinds that count their ready pods, and leave the count out while there is none. */
const counting: ReadonlySet<string> = new Set([
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'ReplicationController',
]);

/** What a custom resource means by `replicas` is known only if its status counts the ready ones. */
function countsOf(
  kind: string,
  { spec, status }: AnyWorkload,
): readonly [ready: number, wanted: number | undefined] {
  if (status?.desiredNumberScheduled !== undefined)
    return [status.numberReady ?? 0, status.desiredNumberScheduled];
  const { readyReplicas } = status ?? {};
  return [readyReplicas ?? 0, counting.has(kind) || readyReplicas !== undefined ? spec?.replicas : undefined];
}
