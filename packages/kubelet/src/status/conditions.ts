import type { ContainerStatus } from '@coxswain/api/core/v1/container-status.ts';
import type { PodCondition } from '@coxswain/api/core/v1/pod-status.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { PodPhase } from './phase.ts';

/** The inputs of the conditions. */
export interface ConditionFacts {
  readonly pod: Pod;
  readonly phase: PodPhase;
  readonly hasSandbox: boolean;
  readonly initStatuses: readonly ContainerStatus[];
  readonly statuses: readonly ContainerStatus[];
  /** Conditions written by others. */
  readonly foreign: readonly PodCondition[];
}

type Judgement = Pick<PodCondition, 'status' | 'reason' | 'message'>;

const isTrue: Judgement = { status: 'True' };

/** Returns the conditions that the kubelet owns, in its order, without times. */
export function kubeletConditions(facts: ConditionFacts): readonly PodCondition[] {
  const containersReady = judgeContainers(facts);
  const { generation } = facts.pod.metadata ?? {};
  const condition = (type: string, judgement: Judgement): PodCondition => ({
    type,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...judgement,
  });
  return [
    condition('PodReadyToStartContainers', { status: facts.hasSandbox ? 'True' : 'False' }),
    condition('Initialized', judgeInitialized(facts)),
    condition('Ready', containersReady.status === 'True' ? judgeGates(facts) : containersReady),
    condition('ContainersReady', containersReady),
    condition('PodScheduled', isTrue),
  ];
}

export const ownedConditions: ReadonlySet<string> = new Set([
  'PodResizePending',
  'PodResizeInProgress',
  'PodReadyToStartContainers',
  'Initialized',
  'Ready',
  'ContainersReady',
  'PodScheduled',
  'AllContainersRestarting',
]);

function judgeContainers({ pod, phase, initStatuses, statuses }: ConditionFacts): Judgement {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const isSidecar = (name: string) =>
    pod.spec?.initContainers?.some(
      (container) => container.name === name && container.restartPolicy === 'Always',
    );
  const relevant = [...initStatuses.filter(({ name }) => isSidecar(name)), ...statuses];
  const unready = relevant.filter(({ ready }) => !ready).map(({ name }) => name);
  if (unready.length === 0) return isTrue;
  const message = `containers with unready status: [${unready.join(' ')}]`;
  return { status: 'False', reason: 'ContainersNotReady', message };
}

function judgeInitialized({ pod, phase, initStatuses, statuses }: ConditionFacts): Judgement {
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  if (statuses.some(hasStarted)) return isTrue;
  const incomplete = (pod.spec?.initContainers ?? []).filter((container) => {
    const status = initStatuses.find(({ name }) => name === container.name);
    return container.restartPolicy === 'Always' ? !status?.started : !status?.ready;
  });
  if (incomplete.length === 0) return isTrue;
  const message = `containers with incomplete status: [${incomplete.map(({ name }) => name).join(' ')}]`;
  return { status: 'False', reason: 'ContainersNotInitialized', message };
}

function judgeGates({ pod, foreign }: ConditionFacts): Judgement {
  const messages = (pod.spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const known = foreign.find(({ type }) => type === conditionType);
    if (known === undefined)
      return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    if (known.status === 'True') return [];
    return [`the status of pod readiness gate "${conditionType}" is not "True", but ${known.status}`];
  });
  if (messages.length === 0) return isTrue;
  return { status: 'False', reason: 'ReadinessGatesNotReady', message: messages.join(', ') };
}

const hasStarted = ({ state, lastState, restartCount }: ContainerStatus): boolean =>
  Boolean(state?.running ?? state?.terminated ?? lastState?.terminated) || restartCount > 0;
