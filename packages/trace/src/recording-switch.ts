/** An observer that is installed from the start and costs only a comparison until a recording is requested. */

import { becauseOf, type StepObserver } from '@coxswain/apimachinery';
import type { RecordedPart, Recorder } from './recorder.ts';

export interface OngoingRecording extends RecordedPart {
  stop(): void;
}

export class RecordingSwitch {
  readonly #newRecorder: () => Recorder;
  #recorder: Recorder | undefined;
  #listeners = 0;

  /** @param newRecorder creates the recorder for the first request; recordings that run at the same time share it */
  constructor(newRecorder: () => Recorder) {
    this.#newRecorder = newRecorder;
  }

  readonly observer: StepObserver = {
    begin: (step, detail, body, work, place) =>
      this.#recorder?.observer.begin(step, detail, body, work, place),
    scope: (undertaking) => this.#recorder?.observer.scope?.(undertaking),
    note: (values) => this.#recorder?.observer.note?.(values),
    wrote: (revision, key) => this.#recorder?.observer.wrote?.(revision, key),
    traceParent: () => this.#recorder?.observer.traceParent?.(),
    causeOf: (key) => this.#recorder?.observer.causeOf?.(key),
    because: (cause, body) => becauseOf(this.#recorder?.observer, cause, body),
  };

  /** Records until it is stopped. */
  record(): OngoingRecording {
    const recorder = (this.#recorder ??= this.#newRecorder());
    this.#listeners++;
    let isOver = false;
    return {
      ...recorder.fromNow(),
      stop: () => {
        if (isOver) return;
        isOver = true;
        if (--this.#listeners === 0) this.#recorder = undefined;
      },
    };
  }
}
