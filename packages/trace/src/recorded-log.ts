/** What a recorder keeps: undertakings, and their steps as they were taken. */

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
  /** More steps than this are counted, not kept. */
  readonly stepsMax?: number;
}

/** What belongs to a chain of calls, over all its pauses: an `AsyncLocalStorage` of Node. */
export interface Context {
  getStore(): unknown;
  run<T>(store: unknown, body: () => T): T;
}

export interface RecordedCall {
  readonly of: CalledFunction;
  readonly depth: number;
  /** How often it was called there in a row, and called nothing itself. */
  times: number;
}

export class RecordedStep implements OpenStep {
  readonly name: string;
  readonly of: RecordedUndertaking;
  readonly site: CallSite | undefined;
  /** The name of the body, which is a closure that must not be kept. */
  readonly body: string;
  readonly work: Work | undefined;
  readonly startMs: number;
  /** The step that it is part of, if it is not one of the undertaking's own. */
  readonly parent: RecordedStep | undefined;
  /** The last of the steps within it, from which the others are reached: a list would cost more than it holds. */
  last: RecordedStep | undefined = undefined;
  /** The one before it in what it is part of. */
  previous: RecordedStep | undefined = undefined;
  /** For a step that is the call of a function, seen because every call is. */
  call: RecordedCall | undefined = undefined;
  values: StepDetail | undefined;
  durationMs: number | undefined = undefined;
  failure: string | undefined = undefined;
  /** Done after the undertaking was over. */
  isLate = false;
  /** Whose context it shares, if it is taken in turn. */
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

  /** Makes a step part of this one. */
  add(step: RecordedStep): void {
    step.previous = this.last;
    this.last = step;
  }

  /** Those within it, in the order in which they began. */
  get steps(): RecordedStep[] {
    const steps: RecordedStep[] = [];
    for (let step = this.last; step !== undefined; step = step.previous) steps.push(step);
    return steps.reverse();
  }

  note(values: StepDetail): void {
    this.values = this.values === undefined ? values : { ...this.values, ...values };
  }
}

/** Steps of which one is under way at a time share one context: it names that one. */
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

  add(step: RecordedStep): void {
    this.steps.push(step);
  }

  /** It is over with the last step of its own, as far as one can tell. */
  stepOver(step: RecordedStep): void {
    if (step.isLate) return;
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

  constructor({ clock, random, context, stepsMax = stepsMaxDefault }: LogOptions) {
    this.#clock = clock;
    this.#startMs = clock.monotonic();
    this.#stepsMax = stepsMax;
    this.context = context;
    this.startTimeMs = clock.now();
    this.salt = randomHex(random, 8);
  }

  /** The step that is under way, or what leads to whatever comes. */
  ambient(): unknown {
    return stepOf(this.context.getStore());
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
