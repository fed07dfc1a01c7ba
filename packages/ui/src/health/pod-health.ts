import type { Live } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { inLanguages } from '../language/language.ts';
import { containerSituation, exitText, type ContainerStatus } from './container-situation.ts';
import type { Health } from './health.ts';

const text = inLanguages(
  {
    waits: (container: string, before: string) => `container ${container}${before && `: ${before}`}`,
    ended: (container: string, exit: string) => `container ${container} ended with ${exit}`,
    unready: (containers: string) => `containers not ready: ${containers}`,
    lost: (node: string) => `its node ${node} is not ready`,
  },
  {
    waits: (container: string, before: string) => `容器 ${container}${before && `：${before}`}`,
    ended: (container: string, exit: string) => `容器 ${container} 已结束，${exit}`,
    unready: (containers: string) => `未就绪的容器：${containers}`,
    lost: (node: string) => `所在节点 ${node} 未就绪`,
  },
);

type LivePod = Live<Pod>;

/** Examines the phases in order: scheduled, initialized, started, ready. */
export function podHealth(pod: LivePod): Health {
  const { metadata, status } = pod;
  const phase = status?.phase ?? 'Pending';
  const disruption = conditionOf(pod, 'DisruptionTarget');
  const evicted = disruption?.status === 'True' ? (disruption.message ?? '') : '';
  if (metadata.deletionTimestamp !== undefined)
    return { tone: 'info', state: 'Terminating', reason: evicted };
  if (phase === 'Succeeded') return { tone: 'idle', state: 'Succeeded', reason: '' };
  if (phase === 'Failed')
    return {
      tone: 'bad',
      state: status?.reason || 'Failed',
      reason: status?.message || evicted || exitOf(pod),
    };
  const unplaced = conditionOf(pod, 'PodScheduled');
  if (unplaced?.status === 'False')
    return { tone: 'bad', state: unplaced.reason || 'Unschedulable', reason: unplaced.message ?? '' };
  const waiting = troubled(pod);
  if (waiting !== undefined) return waiting;
  if (phase === 'Pending') return { tone: 'warn', state: 'Pending', reason: '' };
  const ready = conditionOf(pod, 'Ready');
  if (ready?.status !== 'True')
    return {
      tone: 'warn',
      state: 'NotReady',
      reason: ready?.message || notReadyOf(pod) || lostReason(lostNodeOf(pod)),
    };
  return { tone: 'ok', state: 'Running', reason: '' };
}

/**
 * The lost node of a pod. The controller that notices the loss makes the pod unready and gives no reason; the status of
 * the containers is still what the node last reported.
 */
export function lostNodeOf(pod: LivePod): string | undefined {
  const ready = conditionOf(pod, 'Ready');
  const isUntold = ready?.status === 'False' && !ready.message && notReadyOf(pod) === '';
  return isUntold && pod.status?.phase === 'Running' ? pod.spec?.nodeName : undefined;
}

/** The reason for the state of a pod whose node is lost. */
export const lostReason = (node: string | undefined): string => (node === undefined ? '' : text().lost(node));

const conditionOf = ({ status }: LivePod, type: string) =>
  status?.conditions?.find((condition) => condition.type === type);

const containersOf = ({ status }: LivePod): readonly ContainerStatus[] => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
];

function troubled(pod: LivePod): Health | undefined {
  for (const { name, state, lastState } of containersOf(pod)) {
    if (state?.waiting === undefined) continue;
    const { tone, name: word, note } = containerSituation(state);
    if (tone !== 'bad') continue;
    const last = lastState?.terminated;
    const before = last === undefined ? '' : exitText(last.exitCode, last.reason);
    return { tone, state: word, reason: note || text().waits(name, before) };
  }
  return undefined;
}

function exitOf(pod: LivePod): string {
  const failed = containersOf(pod).find(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0);
  const terminated = failed?.state?.terminated;
  if (failed === undefined || terminated === undefined) return '';
  return text().ended(failed.name, exitText(terminated.exitCode, terminated.message || terminated.reason));
}

function notReadyOf(pod: LivePod): string {
  const names = containersOf(pod)
    .filter(({ ready, state }) => !ready && state?.terminated === undefined)
    .map(({ name }) => name);
  return names.length === 0 ? '' : text().unready(names.join(', '));
}
