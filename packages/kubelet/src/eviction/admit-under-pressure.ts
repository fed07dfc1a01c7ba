/** Which pods a node takes although something is short. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { qosClassOf } from '@coxswain/api/core/v1/quality-of-service.ts';
import type { Toleration } from '@coxswain/api/core/v1/taint.ts';
import type { Refusal } from '../node/admit.ts';
import { evictedReason } from './eviction-message.ts';
import type { NodePressure } from './signals.ts';

/** Everything that is critical; while only memory is short, whoever asks for memory or tolerates the taint. */
export function refusalUnderPressure(pod: Pod, pressures: readonly NodePressure[]): Refusal | undefined {
  if (pressures.length === 0 || isCritical(pod)) return undefined;
  if (pressures.length === 1 && pressures[0] === 'MemoryPressure') {
    if (qosClassOf({ spec: pod.spec! }) !== 'BestEffort') return undefined;
    if (pod.spec?.tolerations?.some(toleratesMemoryPressure)) return undefined;
  }
  return { reason: evictedReason, message: `The node had condition: [${pressures.join(' ')}]. ` };
}

const toleratesMemoryPressure = ({ key, operator, value, effect }: Toleration): boolean =>
  (!effect || effect === 'NoSchedule') &&
  (!key || key === 'node.kubernetes.io/memory-pressure') &&
  (operator === 'Exists' || !value);

/** `system-cluster-critical` and above. */
const criticalPriorityMin = 2_000_000_000;

/** Pods without which the node or the cluster does not work; those from files on the node among them. */
export const isCritical = ({ metadata, spec }: Pod): boolean =>
  (metadata?.annotations?.['kubernetes.io/config.source'] ?? 'api') !== 'api' ||
  metadata?.annotations?.['kubernetes.io/config.mirror'] !== undefined ||
  (spec?.priority ?? 0) >= criticalPriorityMin;
