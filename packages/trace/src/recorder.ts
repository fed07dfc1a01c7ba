/**
 * Writes recordings: an observer of steps that keeps what it sees. Nothing is looked up while steps run that can be
 * looked up when the recording is read: sources, causes and values come last.
 */

import type {
  Cause,
  Clock,
  OpenStep,
  Random,
  StepDetail,
  StepObserver,
  Undertaking,
  Work,
} from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { parseTraceParent, randomHex } from '@coxswain/apimachinery/trace-parent.ts';
import { CallSites, type CallSite } from './call-sites.ts';
import { writeRecording } from './write-recording.ts';
import type { Recording } from './recording.ts';
import type { Places } from './places.ts';

export interface RecorderOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly places: Places;
  readonly context: Context;
  /** More steps than this are counted, not kept. */
  readonly stepsMax?: number;
}

/** What belongs to a chain of calls, over all its pauses: an `AsyncLocalStorage` of Node. */
export interface Context {
  getStore(): unknown;
  run<T>(store: unknown, body: () => T): T;
}

export interface Recorder {
  readonly observer: StepObserver;
  /** What was recorded so far, in the order in which it began. */
  readonly undertakings: readonly RecordedUndertaking[];
  /** The undertakings that are wanted, as they are now. */
  recording(isWanted?: (undertaking: RecordedUndertaking) => boolean): Recording;
}

const stepsMaxDefault = 200_000;

export function createRecorder(options: RecorderOptions): Recorder {
  const log = new RecordedLog(options);
  return {
    observer: new RecordingObserver(log, undefined),
    undertakings: log.undertakings,
    recording: (isWanted = () => true) => writeRecording(log, options.places, isWanted),
  };
}

export class RecordedStep implements OpenStep {
  readonly name: string;
  readonly of: RecordedUndertaking;
  readonly site: CallSite | undefined;
  /** The name of the body, which is a closure that must not be kept. */
  readonly body: string;
  readonly work: Work | undefined;
  readonly startMs: number;
  readonly steps: RecordedStep[] = [];
  values: StepDetail | undefined;
  durationMs: number | undefined = undefined;
  failure: string | undefined = undefined;
  /** Done after the undertaking was over. */
  isLate = false;

  constructor(
    name: string,
    of: RecordedUndertaking,
    values: StepDetail | undefined,
    body: Work | undefined,
    work: Work | undefined,
  ) {
    this.name = name;
    this.of = of;
    this.values = values;
    this.body = body?.name ?? '';
    this.work = work;
    // A loop that runs what others have registered says nothing about the step.
    this.site = work === undefined ? of.log.sites.find(RecordingObserver.prototype.begin) : undefined;
    this.startMs = of.log.elapsedMs();
  }

  over(failure?: unknown, values?: StepDetail): void {
    this.durationMs = this.of.log.elapsedMs() - this.startMs;
    if (failure !== undefined) this.failure = messageOf(failure);
    if (values !== undefined) this.note(values);
    this.of.stepOver(this);
  }

  within<T>(body: () => T): T {
    return this.of.log.context.run(this, body);
  }

  note(values: StepDetail): void {
    this.values = this.values === undefined ? values : { ...this.values, ...values };
  }
}

export class RecordedUndertaking {
  readonly id: string;
  readonly traceId: string;
  readonly log: RecordedLog;
  readonly startMs: number;
  readonly steps: RecordedStep[] = [];
  readonly what: Undertaking;
  /** What it wrote, by revision. */
  readonly writes: { readonly revision: number; readonly key: string }[] = [];
  durationMs: number | undefined = undefined;
  failure: string | undefined = undefined;
  values: StepDetail | undefined;

  constructor(log: RecordedLog, what: Undertaking) {
    this.log = log;
    this.what = what;
    this.values = what.values;
    this.id = log.nextId();
    this.traceId = log.traceIdOf(what.causes) ?? log.salt + this.id;
    this.startMs = log.elapsedMs();
  }

  /** It is over with its last step, as far as one can tell. */
  stepOver(step: RecordedStep): void {
    if (step.isLate || (this.steps.at(-1) !== step && !this.steps.includes(step))) return;
    this.durationMs = this.log.elapsedMs() - this.startMs;
    if (step.failure !== undefined) this.failure = step.failure;
  }
}

/** All that was recorded. */
export class RecordedLog {
  readonly sites = new CallSites();
  readonly undertakings: RecordedUndertaking[] = [];
  readonly context: Context;
  /** Who wrote a revision. */
  readonly writers = new Map<number, RecordedUndertaking>();
  readonly startTimeMs: number;
  readonly salt: string;
  dropped = 0;
  #kept = 0;
  #ids = 0;
  readonly #clock: Clock;
  readonly #startMs: number;
  readonly #stepsMax: number;
  readonly #byId = new Map<string, RecordedUndertaking>();

  constructor({ clock, random, context, stepsMax = stepsMaxDefault }: RecorderOptions) {
    this.#clock = clock;
    this.#startMs = clock.monotonic();
    this.#stepsMax = stepsMax;
    this.context = context;
    this.startTimeMs = clock.now();
    this.salt = randomHex(random, 8);
  }

  elapsedMs(): number {
    return this.#clock.monotonic() - this.#startMs;
  }

  /** Distinct from those of other processes by its first half. */
  nextId(): string {
    return this.salt.slice(0, 8) + (++this.#ids).toString(16).padStart(8, '0');
  }

  /** Whether there is room for one more. */
  keeps(): boolean {
    if (this.#kept < this.#stepsMax) return ++this.#kept > 0;
    this.dropped++;
    return false;
  }

  add(undertaking: RecordedUndertaking): void {
    this.undertakings.push(undertaking);
    this.#byId.set(undertaking.id, undertaking);
  }

  undertakingOf(cause: Cause): RecordedUndertaking | undefined {
    if (cause.by === 'call') return undefined;
    return cause.by === 'queue' ? this.#byId.get(cause.from) : this.writers.get(cause.revision);
  }

  traceIdOf(causes: readonly Cause[] = []): string | undefined {
    for (const cause of causes) {
      const found =
        cause.by === 'call'
          ? parseTraceParent(cause.traceParent)?.traceId
          : this.undertakingOf(cause)?.traceId;
      if (found !== undefined) return found;
    }
  }
}

/** What happens because of something outside of undertakings: an event of a watch. */
class Because {
  readonly cause: Cause;

  constructor(cause: Cause) {
    this.cause = cause;
  }
}

/** Of one undertaking, or of whichever is under way where it is called. */
class RecordingObserver implements StepObserver {
  readonly #log: RecordedLog;
  readonly #own: RecordedUndertaking | undefined;

  constructor(log: RecordedLog, own: RecordedUndertaking | undefined) {
    this.#log = log;
    this.#own = own;
  }

  begin(name: string, detail?: StepDetail, body?: Work, work?: Work): OpenStep | void {
    const parent = this.#underWay();
    if (parent === undefined || !this.#log.keeps()) return;
    const of = parent instanceof RecordedStep ? parent.of : parent;
    const step = new RecordedStep(name, of, detail, body, work);
    step.isLate = parent === of && this.#own === undefined;
    parent.steps.push(step);
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
    const ambient = this.#log.context.getStore();
    if (ambient instanceof Because) return ambient.cause;
    const by = this.#undertaking();
    return by && { by: 'queue', from: by.id, key };
  }

  because<T>(cause: Cause, body: () => T): T {
    return this.#log.context.run(new Because(cause), body);
  }

  /** Also one that is over: it may have left something to be done later. What a start leaves goes on for ever. */
  #undertaking(): RecordedUndertaking | undefined {
    if (this.#own !== undefined) return this.#own;
    const ambient = this.#log.context.getStore();
    if (ambient instanceof Because) return this.#log.undertakingOf(ambient.cause);
    if (!(ambient instanceof RecordedStep) || ambient.of.log !== this.#log) return undefined;
    return ambient.of.what.kind === 'start' && ambient.durationMs !== undefined ? undefined : ambient.of;
  }

  /** The step that called; its undertaking where that step is over, or where another one calls for it. */
  #underWay(): RecordedStep | RecordedUndertaking | undefined {
    const ambient = this.#log.context.getStore();
    const own = this.#own;
    if (!(ambient instanceof RecordedStep) || ambient.of.log !== this.#log) return own;
    if (own !== undefined && ambient.of !== own) return own;
    if (ambient.durationMs === undefined) return ambient;
    // It left something to be done later. What a start leaves goes on for ever, and is its own.
    return own ?? (ambient.of.what.kind === 'start' ? undefined : ambient.of);
  }
}
