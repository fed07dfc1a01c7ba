import { AsyncLocalStorage } from 'node:async_hooks';
import { systemClock, systemRandom } from '@coxswain/apimachinery';
import { createRecorder, type Recorder, type RecorderOptions } from '@coxswain/trace/recorder.ts';
import { instrumentedModules } from './functions/function-options.ts';
import { nodePlaces } from './node-places.ts';

/** Returns a recorder for this process, which covers every function if its modules are instrumented. */
export function nodeRecorder(options: Partial<RecorderOptions> = {}): Recorder {
  const modules = instrumentedModules();
  return createRecorder({
    clock: systemClock,
    random: systemRandom,
    places: nodePlaces(modules && ((...place) => modules.originalColumn(...place))),
    context: new AsyncLocalStorage<unknown>(),
    calls: modules,
    ...options,
  });
}
