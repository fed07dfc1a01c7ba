/** The data that a recorder keeps: undertakings and their steps, as they were taken. */

import type { Cause, Clock, OpenStep, Random, StepDetail, Undertaking, Work } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { parseTraceParent, randomHex } from '@coxswain/apimachinery/trace-parent.ts';
import { CallSites, type CallSite } from './call-sites.ts';
import type { CalledFunction } from './called-function.ts';

const stepsMaxDefault = 200_000;

export interface LogOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly context: Context;
  /** Further steps are counted but not kept. */
  readonly stepsMax?: number;
}

/** Data associated with a chain of asynchronous calls: an `AsyncLocalStorage` of Node. */
export interface Context {
  getStore(): unknown;
  run<T>(store: unknown, body: () => T): T;
}

export interface RecordedCall {
  readonly of: CalledFunction;
  readonly depth: number;
  /** How many times in a row the function was called there without recording calls of its own. */
  times: number;
}

export class RecordedStep implements OpenStep {
  readonly name: string;
  readonly of: RecordedUndertaking;
  readonly site: CallSite | undefined;
  /** The name of the body. The body itself is a closure that must not be retained. */
  readonly body: string;
  readonly work: Work | undefined;
  readonly startMs: number;
  /** The step that contains it; undefined for a top-level step of the undertaking. */
  readonly parent: RecordedStep | undefined;
  /** The last step within it, from which the others are reached: a list would cost more memory than its contents. */
  last: RecordedStep | undefined = undefined;
  /** The previous sibling. */
  previous: RecordedStep | undefined = undefined;
  /** Set if the step is the call of an instrumented function. */
  call: RecordedCall | undefined = undefined;
  values: StepDetail | undefined;
  durationMs: number | undefined = undefined;
  failure: string | undefined = undefined;
  /** Taken after the undertaking had ended. */
  isLate = false;
  /** The shared context, for steps that run one at a time. */
  turn: Turn | undefined = undefined;

  constructor(
    name: string,
    of: RecordedUndertaking,
    parent: RecordedStep | undefined,
    values: StepDetail | undefined,
    body: Work | undefined,
    work: Work | undefined,
    site: CallSite | undefined,
  ) {
    this.name = name;
    this.of = of;
    this.parent = parent;
    this.values = values;
    this.body = body?.name ?? '';
    this.work = work;
    this.site = site;
    this.startMs = of.log.elapsedMs();
  }

  over(failure?: unknown, values?: StepDetail): void {
    this.durationMs = this.of.log.elapsedMs() - this.startMs;
    if (failure !== undefined) this.failure = messageOf(failure);
    if (values !== undefined) this.note(values);
    if (this.turn?.step === this) this.turn.step = this.parent ?? this;
    if (this.parent === undefined) this.of.stepOver(this);
  }

  within<T>(body: () => T, inTurn = false): T {
    const { context } = this.of.log;
    if (!inTurn) return context.run(this, body);
    if (this.turn === undefined) return context.run((this.turn = new Turn(this)), body);
    this.turn.step = this;
    return body();
  }

  /** Adds a step within this one. */
  add(step: RecordedStep): void {
    step.previous = this.last;
    this.last = step;
  }

  /** The steps within it, in the order in which they began. */
  get steps(): RecordedStep[] {
    const steps: RecordedStep[] = [];
    for (let step = this.last; step !== undefined; step = step.previous) steps.push(step);
    return steps.reverse();
  }

  note(values: StepDetail): void {
    this.values = this.values === undefined ? values : { ...this.values, ...values };
  }
}

/** Steps of which only one runs at a time share one context, which names the current one. */
export class Turn {
  step: RecordedStep;

  constructor(step: RecordedStep) {
    this.step = step;
  }
}

export const stepOf = (ambient: unknown): unknown => (ambient instanceof Turn ? ambient.step : ambient);

export class RecordedUndertaking {
  readonly id: string;
  readonly traceId: string;
  readonly log: RecordedLog;
  readonly startMs: number;
  readonly steps: RecordedStep[] = [];
  readonly what: Undertaking;
  /** The revisions that the undertaking wrote. */
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

  add(step: RecordedStep): void {
    this.steps.push(step);
  }

  /** An undertaking is considered to last until the end of its last top-level step. */
  stepOver(step: RecordedStep): void {
    if (step.isLate) return;
    this.durationMs = this.log.elapsedMs() - this.startMs;
    if (step.failure !== undefined) this.failure = step.failure;
  }
}

/** Everything that was recorded. */
export class RecordedLog {
  readonly sites = new CallSites();
  readonly undertakings: RecordedUndertaking[] = [];
  readonly context: Context;
  /** The undertaking that wrote each revision. */
  readonly writers = new Map<number, RecordedUndertaking>();
  readonly startTimeMs: number;
  readonly salt: string;
  /** When the first command began. */
  commandMs: number | undefined = undefined;
  dropped = 0;
  #kept = 0;
  #ids = 0;
  readonly #clock: Clock;
  readonly #startMs: number;
  readonly #stepsMax: number;
  readonly #byId = new Map<string, RecordedUndertaking>();

  constructor({ clock, random, context, stepsMax = stepsMaxDefault }: LogOptions) {
    this.#clock = clock;
    this.#startMs = clock.monotonic();
    this.#stepsMax = stepsMax;
    this.context = context;
    this.startTimeMs = clock.now();
    this.salt = randomHex(random, 8);
  }

  /** The current step, or the cause of whatever comes next. */
  ambient(): unknown {
    return stepOf(this.context.getStore());
  }

  elapsedMs(): number {
    return this.#clock.monotonic() - this.#startMs;
  }

  /** The first half distinguishes the id from those of other processes. */
  nextId(): string {
    return this.salt.slice(0, 8) + (++this.#ids).toString(16).padStart(8, '0');
  }

  /** Reports whether there is room for another step. */
  keeps(): boolean {
    if (this.#kept < this.#stepsMax) return ++this.#kept > 0;
    this.dropped++;
    return false;
  }

  add(undertaking: RecordedUndertaking): void {
    if (undertaking.what.kind === 'command') this.commandMs ??= undertaking.startMs;
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
