/**
 * Writes recordings: an observer of steps that stores what it sees. Whatever can be resolved when the recording is read
 * (sources, causes, values) is not resolved while steps run.
 */

import type { Cause, OpenStep, StepDetail, StepObserver, Undertaking, Work } from '@coxswain/apimachinery';
import { FunctionCalls, type CallSource } from './functions/function-calls.ts';
import {
  RecordedLog,
  RecordedStep,
  RecordedUndertaking,
  stepOf,
  Turn,
  type LogOptions,
} from './recorded-log.ts';
import { writeRecording, type WrittenOptions } from './write-recording.ts';
import type { Recording } from './recording.ts';
import type { Places } from './places.ts';

export type { RecordedStep, RecordedUndertaking };

export interface RecorderOptions extends LogOptions {
  readonly places: Places;
  /** The source of function calls, if they are recorded. */
  readonly calls?: CallSource | undefined;
}

export interface Recorder {
  readonly observer: StepObserver;
  /** The undertakings recorded so far, in the order in which they began. */
  readonly undertakings: readonly RecordedUndertaking[];
  /** The whole recording, in its current state. */
  recording(options?: WrittenOptions): Recording;
  /** The part of the recording that begins now. */
  fromNow(): RecordedPart;
}

export interface RecordedPart {
  /** The names of the undertakings so far. */
  names(): readonly string[];
  /** The recording in its current state. */
  soFar(options?: WrittenOptions): Recording;
}

export function createRecorder(options: RecorderOptions): Recorder {
  const log = new RecordedLog(options);
  if (options.calls !== undefined) new FunctionCalls(log, options.calls).listen();
  return {
    observer: new RecordingObserver(log, undefined),
    undertakings: log.undertakings,
    recording: (how) => writeRecording(log, options.places, log.undertakings, how),
    fromNow() {
      const from = log.undertakings.length;
      const begun = () => log.undertakings.slice(from);
      return {
        names: () => begun().map(({ what }) => what.name),
        soFar: (how) => writeRecording(log, options.places, begun(), how),
      };
    },
  };
}

/** Observes work caused from outside undertakings, such as a watch event. */
class Because {
  readonly cause: Cause;

  constructor(cause: Cause) {
    this.cause = cause;
  }
}

/** Observes one undertaking, or whichever is current at the time of the call. */
class RecordingObserver implements StepObserver {
  readonly #log: RecordedLog;
  readonly #own: RecordedUndertaking | undefined;

  constructor(log: RecordedLog, own: RecordedUndertaking | undefined) {
    this.#log = log;
    this.#own = own;
  }

  begin(name: string, detail?: StepDetail, body?: Work, work?: Work, place?: object): OpenStep | void {
    const ambient = this.#log.context.getStore();
    const parent = this.#underWay(stepOf(ambient));
    if (parent === undefined || !this.#log.keeps()) return;
    const within = parent instanceof RecordedStep ? parent : undefined;
    const of = parent instanceof RecordedStep ? parent.of : parent;
    // A loop that runs registered functions says nothing about the step.
    const site =
      work === undefined ? this.#log.sites.find(RecordingObserver.prototype.begin, place) : undefined;
    const step = new RecordedStep(name, of, within, detail, body, work, site);
    step.isLate = parent === of && this.#own === undefined;
    if (ambient instanceof Turn && ambient.step === parent) step.turn = ambient;
    parent.add(step);
    return step;
  }

  scope(undertaking: () => Undertaking): StepObserver | undefined {
    if (!this.#log.keeps()) return;
    const began = new RecordedUndertaking(this.#log, undertaking());
    this.#log.add(began);
    return new RecordingObserver(this.#log, began);
  }

  note(values: StepDetail): void {
    const noted = this.#underWay();
    if (noted instanceof RecordedStep) noted.note(values);
    else if (noted !== undefined) noted.values = { ...noted.values, ...values };
  }

  wrote(revision: number, key: string): void {
    const writing = this.#underWay();
    if (writing === undefined) return;
    const by = writing instanceof RecordedStep ? writing.of : writing;
    by.writes.push({ revision, key });
    this.#log.writers.set(revision, by);
    this.note({ revision });
  }

  traceParent(): string | undefined {
    const by = this.#undertaking();
    return by && `00-${by.traceId}-${by.id}-01`;
  }

  causeOf(key: string): Cause | undefined {
    const ambient = this.#log.ambient();
    if (ambient instanceof Because) return ambient.cause;
    const by = this.#undertaking();
    return by && { by: 'queue', from: by.id, key };
  }

  because<T>(cause: () => Cause, body: () => T): T {
    return this.#log.context.run(new Because(cause()), body);
  }

  /**
   * Includes an undertaking that is over, since it may have left work for later. Work left by a start continues forever.
   */
  #undertaking(): RecordedUndertaking | undefined {
    if (this.#own !== undefined) return this.#own;
    const ambient = this.#log.ambient();
    if (ambient instanceof Because) return this.#log.undertakingOf(ambient.cause);
    if (!(ambient instanceof RecordedStep) || ambient.of.log !== this.#log) return undefined;
    return ambient.of.what.kind === 'start' && ambient.durationMs !== undefined ? undefined : ambient.of;
  }

  /** The current step; this observer's own undertaking if that step is over or belongs to another undertaking. */
  #underWay(leading: unknown = this.#log.ambient()): RecordedStep | RecordedUndertaking | undefined {
    const ambient = outOfCalls(leading);
    const own = this.#own;
    if (!(ambient instanceof RecordedStep) || ambient.of.log !== this.#log) return own;
    if (own !== undefined && ambient.of !== own) return own;
    if (ambient.durationMs === undefined) return ambient;
    // The undertaking left work for later. Work left by a start continues forever and belongs to nothing else.
    return own ?? (ambient.of.what.kind === 'start' ? undefined : ambient.of);
  }
}

/** A function may return before the work that it started is done; that work belongs to the function's caller. */
function outOfCalls(ambient: unknown): unknown {
  let step = ambient;
  while (step instanceof RecordedStep && step.call !== undefined && step.durationMs !== undefined)
    step = step.parent;
  return step;
}
