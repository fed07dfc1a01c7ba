import type { Clock } from '@coxswain/apimachinery';
import type { Profiler } from '../debug/profiles.ts';

/** Loads the inspector when the first profile is requested. */
export function lazyProfiler(clock: Clock): Profiler {
  const load = () => import('./node-profiler.ts').then(({ nodeProfiler }) => nodeProfiler(clock));
  let loaded: ReturnType<typeof load> | undefined;
  const profiler = () => (loaded ??= load());
  return {
    cpu: async (durationMs) => (await profiler()).cpu(durationMs),
    heap: async (durationMs) => (await profiler()).heap(durationMs),
  };
}
