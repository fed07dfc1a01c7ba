/** Which pods a node takes although something is short. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { qosClassOf } from '@coxswain/api/core/v1/pod/quality-of-service.ts';
import type { Taint } from '@coxswain/api/core/v1/taint.ts';
import { tolerates } from '@coxswain/api/core/v1/pod/tolerations.ts';
import type { Refusal } from '../node/admit.ts';
import { isCritical } from '../pod/pod-source.ts';
import { evictedReason } from './eviction-message.ts';
import type { NodePressure } from '../node/node-state.ts';

/** Everything that is critical; while only memory is short, whoever asks for memory or tolerates the taint. */
export function refusalUnderPressure(pod: Pod, pressures: readonly NodePressure[]): Refusal | undefined {
  if (pressures.length === 0 || isCritical(pod)) return undefined;
  if (pressures.length === 1 && pressures[0] === 'MemoryPressure') {
    if (qosClassOf({ spec: pod.spec! }) !== 'BestEffort') return undefined;
    if (tolerates(pod.spec?.tolerations, memoryPressure)) return undefined;
  }
  return { reason: evictedReason, message: `The node had condition: [${pressures.join(' ')}]. ` };
}

const memoryPressure: Taint = { key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule' };
