/**
 * What a pod can ask of the simulation, as annotations:
 *
 * | annotation | value | meaning |
 * |---|---|---|
 * | `sim.coxswain.io/run` | `ready` | runs until it is stopped |
 * | | `unready` | runs, but its readiness probe fails (also without one) |
 * | | `succeed`, `succeed:5s` | ends with 0, at once or after a while |
 * | | `fail:3`, `fail:3:5s` | ends with that exit code |
 * | | `hold` | is never started |
 * | `sim.coxswain.io/run.<container>` | as above | for one container |
 * | `sim.coxswain.io/pull-error` | text | images cannot be pulled, for this reason |
 * | `sim.coxswain.io/pull-delay` | `2s` | how long a pull takes |
 * | `sim.coxswain.io/stop-delay` | `5s` | how long a container takes to stop; beyond the grace period it is killed |
 * | `sim.coxswain.io/probe.<readiness, liveness, startup>` | `fail` | that probe fails |
 * | `sim.coxswain.io/hook.<poststart, prestop>` | `fail` | that hook fails |
 * | `sim.coxswain.io/log` | text with `{pod}` `{namespace}` `{container}` `{node}` `{restarts}` | lines written at the start |
 *
 * Without annotations a container's command decides (see commands.ts); what has no known command stays, but for init
 * containers, which have done their work at once.
 */
import { parseDurationMs } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

const prefix = 'sim.coxswain.io/';

export const annotation = (pod: Pod, name: string): string | undefined =>
  pod.metadata?.annotations?.[prefix + name];

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
