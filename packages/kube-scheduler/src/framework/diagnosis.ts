import type { NodeToStatus } from './node-to-status.ts';
import type { Rejection } from '../status.ts';

/** Why a pod could not be placed. */
export interface Diagnosis {
  readonly nodeCount: number;
  readonly statuses: NodeToStatus;
  /** Applies to nodes without a status of their own. */
  readonly absentNodesStatus: Rejection;
  /** A refusal that applied to all nodes before any was evaluated. */
  readonly preFilterMessage?: string;
  readonly postFilterMessage: string;
}

/** Returns the text for conditions and events: `0/5 nodes are available: 2 Insufficient cpu, 3 Too many pods. …` */
export function diagnosisText(diagnosis: Diagnosis): string {
  const { nodeCount, preFilterMessage, postFilterMessage } = diagnosis;
  let text = `0/${nodeCount} nodes are available:`;
  if (preFilterMessage !== undefined) text += ` ${preFilterMessage}.`;
  else {
    const reasons = countedReasons(diagnosis);
    if (reasons.length > 0) text += ` ${reasons.join(', ')}.`;
  }
  return postFilterMessage === '' ? text : `${text} ${postFilterMessage}`;
}

/** `2 Insufficient cpu`, sorted as text. */
function countedReasons({ nodeCount, statuses, absentNodesStatus }: Diagnosis): string[] {
  const counts = statuses.countReasons();
  const others = nodeCount - statuses.size;
  if (others > 0)
    for (const reason of absentNodesStatus.reasons) counts.set(reason, (counts.get(reason) ?? 0) + others);
  return [...counts].map(([reason, times]) => `${times} ${reason}`).sort();
}
