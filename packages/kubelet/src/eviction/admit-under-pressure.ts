/** Decides which pods a node admits while it is under pressure. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { qosClassOf } from '@coxswain/api/core/v1/pod/quality-of-service.ts';
import type { Taint } from '@coxswain/api/core/v1/taint.ts';
import { tolerates } from '@coxswain/api/core/v1/pod/tolerations.ts';
import type { Refusal } from '../node/admit.ts';
import { isCritical } from '../pod/pod-source.ts';
import { evictedReason } from './eviction-message.ts';
import type { NodePressure } from '../node/node-state.ts';

/**
 * Critical pods are always admitted; under memory pressure only, so are pods that request memory or tolerate the taint.
 */
export function refusalUnderPressure(pod: Pod, pressures: readonly NodePressure[]): Refusal | undefined {
  if (pressures.length === 0 || isCritical(pod)) return undefined;
  if (pressures.length === 1 && pressures[0] === 'MemoryPressure') {
    if (qosClassOf({ spec: pod.spec! }) !== 'BestEffort') return undefined;
    if (tolerates(pod.spec?.tolerations, memoryPressure)) return undefined;
  }
  return { reason: evictedReason, message: `The node had condition: [${pressures.join(' ')}]. ` };
}

const memoryPressure: Taint = { key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule' };
