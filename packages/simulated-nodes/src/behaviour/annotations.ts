/**
 * The annotations by which a pod controls its simulation; annotation-table.ts lists them. Without annotations, the
 * command of a container decides (see commands.ts). A container whose command is unknown keeps running, and an init
 * container ends successfully at once.
 */
import { parseDurationMs } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { simulationPrefix } from './annotation-table.ts';

export const annotation = (pod: Pod, name: string): string | undefined =>
  pod.metadata?.annotations?.[simulationPrefix + name];

/** Returns 0 if the annotation is missing or is not a duration. */
export function durationAnnotation(pod: Pod, name: string): number {
  const text = annotation(pod, name);
  if (text === undefined) return 0;
  try {
    return parseDurationMs(text);
  } catch {
    return 0;
  }
}
