import { AsyncLocalStorage } from 'node:async_hooks';
import { systemClock, systemRandom } from '@coxswain/apimachinery';
import { createRecorder, type Recorder, type RecorderOptions } from '@coxswain/trace/recorder.ts';
import { nodePlaces } from './node-places.ts';

/** A recorder of what happens in this process. */
export const nodeRecorder = (options: Partial<RecorderOptions> = {}): Recorder =>
  createRecorder({
    clock: systemClock,
    random: systemRandom,
    places: nodePlaces(),
    context: new AsyncLocalStorage<unknown>(),
    ...options,
  });
