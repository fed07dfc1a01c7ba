/** A pod's table row: its state in one word, derived from its containers rather than its phase. */

import { epochMsOf } from '@coxswain/apimachinery';
import type { Column, RowCondition } from '@coxswain/schema';
import { ageColumn, column, nameColumn, wideColumn } from '../../../meta/columns.ts';
import { timeSince } from '@coxswain/apimachinery/human-duration.ts';
import type { StatusObject } from '../../../meta/kind-object.ts';
import type { ContainerStateTerminated, ContainerStatus } from '../container-status.ts';
import type { Container } from '../container.ts';
import type { PodSpec } from '../pod-spec.ts';
import type { PodCondition, PodStatus } from '../pod-status.ts';

type PodObject = StatusObject<PodSpec, PodStatus>;

export const podColumns: readonly Column<PodObject>[] = [
  nameColumn,
  column('Ready', (pod) => {
    const { ready, total } = summaryOf(pod);
    return `${ready}/${total}`;
  }),
  column('Status', (pod) => summaryOf(pod).reason),
  column('Restarts', (pod, nowMs) => {
    const { restarts, lastRestart } = summaryOf(pod);
    return restarts === 0 || lastRestart === ''
      ? `${restarts}`
      : `${restarts} (${timeSince(lastRestart, nowMs)} ago)`;
  }),
  ageColumn,
  wideColumn('IP', ({ status }) => status?.podIPs?.[0]?.ip || '<none>'),
  wideColumn('Node', ({ spec }) => spec.nodeName || '<none>'),
  wideColumn('Nominated Node', ({ status }) => status?.nominatedNodeName || '<none>'),
  wideColumn('Readiness Gates', readinessGates),
];

/** Finished pods are marked, so that watchers of the table can hide them. */
export function podRowConditions({ status }: PodObject): readonly RowCondition[] {
  if (status?.phase === 'Succeeded') return succeeded;
  return status?.phase === 'Failed' ? failed : [];
}

const completed = { type: 'Completed', status: 'True' } as const;
const succeeded: readonly RowCondition[] = [
  { ...completed, reason: 'Succeeded', message: 'The pod has completed successfully.' },
];
const failed: readonly RowCondition[] = [{ ...completed, reason: 'Failed', message: 'The pod failed.' }];

interface PodSummary {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  /** Empty without restarts. */
  readonly lastRestart: string;
}

/** Three columns use it in turn. */
let summarized: { pod: PodObject; summary: PodSummary } | undefined;

function summaryOf(pod: PodObject): PodSummary {
  if (summarized?.pod !== pod) summarized = { pod, summary: summarize(pod) };
  return summarized.summary;
}

function summarize(pod: PodObject): PodSummary {
  const { spec, status } = pod;
  const sidecars = new Set((spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name));
  const start = summarizeStart(pod, sidecars);
  const restarts = new Restarts();
  let { reason } = start;
  let { ready } = start;
  if (start.initializing && !hasCondition(status?.conditions, 'Initialized')) {
    for (const container of start.seen) restarts.count(container);
  } else {
    for (const container of start.seen) if (sidecars.has(container.name)) restarts.count(container);
    const running = summarizeRunning(status, reason, restarts);
    reason = running.reason;
    ready += running.ready;
  }
  return {
    ready,
    total: (spec.containers ?? []).length + sidecars.size,
    reason: deletionReason(pod) ?? reason,
    restarts: restarts.total,
    lastRestart: restarts.last,
  };
}

class Restarts {
  total = 0;
  last = '';

  count(container: ContainerStatus): void {
    this.total += container.restartCount ?? 0;
    const finished = container.lastState?.terminated?.finishedAt;
    if (finished && (this.last === '' || epochMsOf(finished) > epochMsOf(this.last))) this.last = finished;
  }
}

interface StartSummary {
  initializing: boolean;
  reason: string;
  ready: number;
  /** The init containers up to the current one. */
  seen: ContainerStatus[];
}

function summarizeStart({ spec, status }: PodObject, sidecars: ReadonlySet<string>): StartSummary {
  const summary: StartSummary = { initializing: false, reason: baseReason(status), ready: 0, seen: [] };
  const statuses = status?.initContainerStatuses ?? [];
  for (const [index, container] of statuses.entries()) {
    summary.seen.push(container);
    const { waiting, terminated } = container.state ?? {};
    if (terminated?.exitCode === 0) continue;
    if (sidecars.has(container.name) && container.started) {
      if (container.ready) summary.ready++;
      continue;
    }
    summary.initializing = true;
    if (terminated != null) summary.reason = `Init:${terminationReason(terminated)}`;
    else if (waiting?.reason && waiting.reason !== 'PodInitializing')
      summary.reason = `Init:${waiting.reason}`;
    else summary.reason = `Init:${index}/${(spec.initContainers ?? []).length}`;
    break;
  }
  return summary;
}

function summarizeRunning(
  status: PodStatus | undefined,
  reasonBefore: string,
  restarts: Restarts,
): { reason: string; ready: number } {
  let reason = reasonBefore;
  let errorReason = '';
  let ready = 0;
  for (const container of (status?.containerStatuses ?? []).toReversed()) {
    restarts.count(container);
    const { waiting, terminated, running } = container.state ?? {};
    if (waiting?.reason) reason = waiting.reason;
    else if (terminated != null) {
      reason = terminationReason(terminated);
      if (terminated.exitCode !== 0) errorReason = reason;
    } else if (container.ready && running != null) ready++;
  }
  if (reason !== 'Completed') return { reason, ready };
  if (ready > 0 && hasCondition(status?.conditions, 'Ready')) reason = 'Running';
  else if (errorReason !== '') reason = errorReason;
  else if (ready > 0) reason = 'NotReady';
  return { reason, ready };
}

function baseReason(status: PodStatus | undefined): string {
  const gated = (status?.conditions ?? []).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  return gated ? 'SchedulingGated' : status?.reason || status?.phase || '';
}

function deletionReason({ metadata, status }: PodObject): string | undefined {
  if (metadata.deletionTimestamp == null) return undefined;
  if (status?.reason === 'NodeLost') return 'Unknown';
  return status?.phase === 'Succeeded' || status?.phase === 'Failed' ? undefined : 'Terminating';
}

function terminationReason({ reason, signal, exitCode }: ContainerStateTerminated): string {
  if (reason) return reason;
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

function readinessGates({ spec, status }: PodObject): string {
  const gates = spec.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const open = gates.filter(({ conditionType }) => hasCondition(status?.conditions, conditionType)).length;
  return `${open}/${gates.length}`;
}

const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

/** The first condition of the type counts. */
const hasCondition = (conditions: readonly PodCondition[] | undefined, type: string): boolean =>
  (conditions ?? []).find((condition) => condition.type === type)?.status === 'True';
