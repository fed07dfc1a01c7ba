/** The health of any object whose numbers and conditions show how far it is from its desired state. */

import type { KubeObject } from '@coxswain/apimachinery';
import { inLanguages } from '../language/language.ts';
import type { Health } from './health.ts';

const text = inLanguages(
  {
    ready: (ready: number, wanted: number) => `${ready} of ${wanted} pods are ready`,
    updated: (updated: number, wanted: number) => `${updated} of ${wanted} pods are updated`,
    rollingOut: 'Rolling out',
  },
  {
    ready: (ready: number, wanted: number) => `${wanted} 个 Pod 中有 ${ready} 个就绪`,
    updated: (updated: number, wanted: number) => `${wanted} 个 Pod 中有 ${updated} 个已更新`,
    rollingOut: '正在滚动更新',
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
  readonly spec?: { readonly replicas?: number; readonly suspend?: boolean };
  readonly status?: {
    readonly conditions?: readonly AnyCondition[];
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
    readonly desiredNumberScheduled?: number;
    readonly numberReady?: number;
    readonly phase?: string;
    readonly active?: number;
    readonly failed?: number;
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
  const { metadata, spec, status } = object as AnyWorkload;
  if (metadata.deletionTimestamp !== undefined) return { tone: 'info', state: 'Terminating', reason: '' };
  const conditions = status?.conditions ?? [];
  for (const { type, status, reason, message } of conditions) {
    const tone = bad.has(type) && status === 'True' ? 'bad' : status === 'False' ? good[type] : undefined;
    if (tone !== undefined) return { tone, state: reason || type, reason: message ?? '' };
  }
  const [ready, wanted] = countsOf({ metadata, spec, status });
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

function countsOf({ spec, status }: AnyWorkload): readonly [ready: number, wanted: number | undefined] {
  if (status?.desiredNumberScheduled !== undefined)
    return [status.numberReady ?? 0, status.desiredNumberScheduled];
  return [status?.readyReplicas ?? 0, spec?.replicas];
}
