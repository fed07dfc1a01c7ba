/**
 * What a pod asks of the simulation by annotations: annotation-table.ts lists them. Without any, a container's command
 * decides (see commands.ts); what has no known command stays, but for init containers, which have done their work at once.
 */
import { parseDurationMs } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { simulationPrefix } from './annotation-table.ts';

export const annotation = (pod: Pod, name: string): string | undefined =>
  pod.metadata?.annotations?.[simulationPrefix + name];

/** 0 for what is missing or no duration. */
export function durationAnnotation(pod: Pod, name: string): number {
  const text = annotation(pod, name);
  if (text === undefined) return 0;
  try {
    return parseDurationMs(text);
  } catch {
    return 0;
  }
}
