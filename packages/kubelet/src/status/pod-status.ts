import { formatTime } from '@coxswain/apimachinery';
import type { PodCondition, PodStatus } from '@coxswain/api/core/v1/pod-status.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ContainerRecord, ContainerRole } from '../pod/container-record.ts';
import { mayRestartAll } from '../pod/restart-all.ts';
import type { PendingResize } from '../pod/resize.ts';
import type { Sandbox } from '../runtime.ts';
import { kubeletConditions, ownedConditions } from './conditions.ts';
import { containerStatus } from './container-statuses.ts';
import { finalInitStatuses, finalStatuses, wasInitialized, wasMade } from './final-statuses.ts';
import { podResources } from './pod-resources.ts';
import { podPhase, type PodPhase } from './phase.ts';
import { qosClassOf } from '@coxswain/api/core/v1/pod/quality-of-service.ts';

/** Everything that a pod's status is computed from. */
export interface PodFacts {
  readonly pod: Pod;
  readonly records: readonly ContainerRecord[];
  readonly sandbox: Sandbox | undefined;
  readonly startMs: number;
  readonly hostIps: readonly string[];
  readonly runtimeName: string;
  readonly nowMs: number;
  /** No container will be started any more. */
  readonly isOver: boolean;
  /**
   * Why it must end: it exceeded its deadline, or the node needs its resources. Reported when none of its containers is
   * running any more.
   */
  readonly failure?: PodFailure | undefined;
  /** Whether it has cgroups, whose limits are reported. */
  readonly enforcesResources?: boolean;
  /** A resize for which the node has no room. */
  readonly pendingResize?: PendingResize | undefined;
  /** The pod before the resize that is under way. */
  readonly beforeResize?: Pod | undefined;
  /** Whether all containers are about to restart. */
  readonly restartingAll?: boolean;
  /** The last written status, for the times of its conditions. */
  readonly previous: PodStatus | undefined;
}

export interface PodFailure {
  readonly reason: string;
  readonly message: string;
  /** Whether the node caused it. */
  readonly isDisruption: boolean;
  /** The message of the disruption condition, if it differs. */
  readonly disruptionMessage?: string | undefined;
  /** Whether successful containers make the pod succeed nevertheless. */
  readonly maySucceed: boolean;
}

export function podStatus(facts: PodFacts): PodStatus {
  const { pod, sandbox } = facts;
  const failure = facts.isOver ? facts.failure : undefined;
  const hasInit = (pod.spec?.initContainers?.length ?? 0) > 0;
  const statusOf = (record: ContainerRecord) =>
    containerStatus(record, facts.runtimeName, hasInit, (facts.beforeResize ?? pod).spec?.resources);
  const statusesOf = (...roles: readonly ContainerRole[]) =>
    facts.records.filter(({ role }) => roles.includes(role)).map(statusOf);
  const liveInits = statusesOf('init', 'sidecar');
  const live = statusesOf('app');
  const ephemeral = statusesOf('ephemeral');
  const inits = facts.isOver ? finalInitStatuses(liveInits) : liveInits;
  const statuses = facts.isOver ? finalStatuses(live, wasInitialized(liveInits, live)) : live;
  const ownPhase: PodPhase = podPhase(pod, facts.records, facts.isOver);
  const phase: PodPhase =
    failure === undefined || (failure.maySucceed && ownPhase === 'Succeeded') ? ownPhase : 'Failed';
  const ips = sandbox === undefined ? [] : pod.spec?.hostNetwork ? facts.hostIps : sandbox.ips;
  const neverBegan = facts.isOver && failure === undefined && !wasMade([...liveInits, ...live]);
  const { generation } = pod.metadata ?? {};
  return {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    phase,
    // A pod that ends before anything was created keeps the conditions of a pending one.
    conditions: neverBegan
      ? conditionsOf(facts, 'Pending', liveInits, live)
      : conditionsOf(facts, phase, inits, statuses),
    ...(failure === undefined ? {} : { reason: failure.reason, message: failure.message }),
    hostIP: facts.hostIps[0] ?? '',
    hostIPs: facts.hostIps.map((ip) => ({ ip })),
    ...(ips.length === 0 ? {} : { podIP: ips[0], podIPs: ips.map((ip) => ({ ip })) }),
    startTime: formatTime(facts.startMs),
    ...(inits.length === 0 ? {} : { initContainerStatuses: inits }),
    containerStatuses: statuses,
    ...(ephemeral.length === 0 ? {} : { ephemeralContainerStatuses: ephemeral }),
    qosClass: pod.status?.qosClass ?? qosClassOf(pod),
    ...(facts.enforcesResources ? podResources(pod, facts.beforeResize) : {}),
  } as PodStatus;
}

/** The status of a pod that the node rejects. */
export const rejectedStatus = (pod: Pod, reason: string, message: string, nowMs: number): PodStatus =>
  ({
    ...(pod.metadata?.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
    phase: 'Failed',
    reason,
    message: `Pod was rejected: ${message}`,
    startTime: formatTime(nowMs),
    qosClass: pod.status?.qosClass ?? qosClassOf(pod),
  }) as PodStatus;

function conditionsOf(
  facts: PodFacts,
  phase: PodPhase,
  initStatuses: NonNullable<PodStatus['initContainerStatuses']>,
  statuses: NonNullable<PodStatus['containerStatuses']>,
): PodCondition[] {
  const disruption = facts.isOver && facts.failure?.isDisruption ? disruptionOf(facts) : [];
  const foreign = (facts.pod.status?.conditions ?? []).filter(
    ({ type }) => !ownedConditions.has(type) && disruption.every((each) => each.type !== type),
  );
  const hasSandbox = facts.sandbox !== undefined && !facts.isOver;
  const own = [
    ...resizeConditions(facts),
    ...kubeletConditions({ pod: facts.pod, phase, hasSandbox, initStatuses, statuses, foreign }),
    ...(mayRestartAll(facts.pod) ? [restartCondition(phase, facts.restartingAll ?? false)] : []),
    ...disruption,
  ];
  const known = facts.previous?.conditions ?? facts.pod.status?.conditions ?? [];
  return [...foreign, ...own.map((condition) => withTime(condition, known, facts.nowMs))];
}

function restartCondition(phase: PodPhase, isRestarting: boolean): PodCondition {
  const type = 'AllContainersRestarting';
  if (phase === 'Succeeded') return { type, status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { type, status: 'False', reason: 'PodFailed' };
  if (!isRestarting) return { type, status: 'False' };
  const message = 'container exited with restart policy rule';
  return { type, status: 'True', reason: 'RestartAllContainersStarted', message };
}

const disruptionOf = ({ pod, failure }: PodFacts): PodCondition[] => [
  {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'TerminationByKubelet',
    message: failure?.disruptionMessage ?? failure?.message ?? '',
    ...(pod.metadata?.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
  },
];

function resizeConditions({ pod, pendingResize, beforeResize }: PodFacts): PodCondition[] {
  const pending = pendingResize && {
    type: 'PodResizePending',
    status: 'True',
    reason: 'Deferred',
    message: pendingResize.message,
    observedGeneration: pendingResize.generation,
  };
  const underWay = beforeResize && {
    type: 'PodResizeInProgress',
    status: 'True',
    observedGeneration: pod.metadata?.generation ?? 0,
  };
  return [pending, underWay].filter((condition) => condition !== undefined);
}

/** The transition time is kept while the status is unchanged. */
function withTime(condition: PodCondition, known: readonly PodCondition[], nowMs: number): PodCondition {
  const before = known.find(({ type, status }) => type === condition.type && status === condition.status);
  return { ...condition, lastTransitionTime: before?.lastTransitionTime ?? formatTime(nowMs) };
}
