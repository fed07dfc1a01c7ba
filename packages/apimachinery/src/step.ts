/**
 * The single hook interface. Every step of a request, a reconcile or a command has a name, and whatever observes it
 * (trace, audit, metrics, recording) or disturbs it (faults) is a {@link StepObserver}. Without an observer a step is a
 * plain call: {@link runStep} then costs one comparison and allocates nothing.
 */

/** Details of a step. Values must be cheap to pass: strings, numbers, references. */
export type StepDetail = Readonly<Record<string, unknown>>;

/**
 * - `command`: a run of a program, from its arguments to its exit code
 * - `request`: a request, as the server sees it
 * - `reconcile`: one reconciliation of a key by a controller
 * - `schedule`: one attempt to place a pod
 * - `sync`: one synchronization of a pod by a kubelet
 * - `proxy`: one synchronization of a node's rules
 * - `start`, `stop`: of a server
 */
export type UndertakingKind =
  | 'command'
  | 'request'
  | 'reconcile'
  | 'schedule'
  | 'sync'
  | 'proxy'
  | 'start'
  | 'stop';

/** Steps that belong together, whatever else happens at the same time. */
export interface Undertaking {
  readonly kind: UndertakingKind;
  /** The program or component: `kubectl`, `deployment-controller`, `kubelet/node-0`. */
  readonly component: string;
  /** `default/web`, `GET /api/v1/pods` */
  readonly name: string;
  readonly values?: StepDetail;
  /** Its causes, as far as they are known. */
  readonly causes?: readonly Cause[];
}

/** A cause of an undertaking. */
export type Cause =
  /** A request: W3C trace context, as in its header. */
  | { readonly by: 'call'; readonly traceParent: string }
  /** A write, seen in a watch. */
  | { readonly by: 'revision'; readonly revision: number; readonly key: string }
  /** An undertaking that queued a key. */
  | { readonly by: 'queue'; readonly from: string; readonly key: string };

/** A function, identified by its name and place. */
// oxlint-disable-next-line typescript/no-unsafe-function-type
export type Work = Function;

/** A step that has begun. */
export interface OpenStep {
  /** Called once when the step is over; `failure` is what it threw. */
  over(failure?: unknown, detail?: StepDetail): void;
  /**
   * Calls the body of the step, so that undertakings in it can be attributed to it.
   * @param inTurn whether nothing else is in progress in the enclosing step: see {@link runStepInTurn}
   */
  within?<T>(body: () => T, inTurn: boolean): T;
}

/**
 * The name of a step that occurs in a single place of the code, written there as `` here`encode` ``. The language
 * creates one such value for each place, so observers need to inspect the stack only once per place.
 */
export type NameHere = TemplateStringsArray;

export const here = (name: NameHere): NameHere => name;

export interface StepObserver {
  /**
   * Called when a step begins. Returns an object to notify of its end, or nothing. An exception becomes the step's
   * failure (which is how faults are injected).
   * @param place the same value whenever the step occurs in the same place; absent if unknown
   */
  begin(step: string, detail?: StepDetail, body?: Work, work?: Work, place?: object): OpenStep | void;
  /** A delay or failure to apply before an asynchronous step runs. */
  before?(step: string, detail?: StepDetail): Promise<void> | void;
  /** Returns an observer for one undertaking; nothing if it is not observed. Called through {@link scopeOf}. */
  scope?(undertaking: () => Undertaking): StepObserver | undefined;
  /** Adds details to the current step. */
  note?(values: StepDetail): void;
  /** The current step has written this revision of a key. */
  wrote?(revision: number, key: string): void;
  /** The W3C trace context of the current undertaking, for its outgoing requests. */
  traceParent?(): string | undefined;
  /** The current activity as a cause of later work on `key`. */
  causeOf?(key: string): Cause | undefined;
  /** Calls `body` with `cause` as its cause. */
  because?<T>(cause: () => Cause, body: () => T): T;
}

/** The observer for one undertaking; nothing without an observer. */
export const scopeOf = (
  observer: StepObserver | undefined,
  undertaking: () => Undertaking,
): StepObserver | undefined => (observer?.scope === undefined ? observer : observer.scope(undertaking));

/** Calls `body` with `cause` as its cause, which is not evaluated without an observer. */
export const becauseOf = <T>(observer: StepObserver | undefined, cause: () => Cause, body: () => T): T =>
  observer?.because === undefined ? body() : observer.because(cause, body);

/**
 * Runs `body` as the step called `step`, synchronously or asynchronously. Where a loop runs registered functions
 * (filters, plugins, reconcilers), `work` is the function that does the work.
 */
export function runStep<T>(
  observer: StepObserver | undefined,
  step: string | NameHere,
  body: () => T,
  detail?: StepDetail,
  work?: Work,
): T {
  return observer === undefined ? body() : takeStep(observer, step, body, detail, work, false);
}

/**
 * The same for steps of which only one is in progress at a time, nested or in sequence: the filters and the handler of
 * a request. Observers then don't need a context for each.
 */
export function runStepInTurn<T>(
  observer: StepObserver | undefined,
  step: string | NameHere,
  body: () => T,
  detail?: StepDetail,
  work?: Work,
): T {
  return observer === undefined ? body() : takeStep(observer, step, body, detail, work, true);
}

/**
 * Runs a check that rarely fails, and reports it as a step only then.
 * @param work the function that does the work
 */
export function stepIfFailed<T>(
  observer: StepObserver | undefined,
  step: NameHere,
  work: Work,
  body: () => T,
): T {
  if (observer === undefined) return body();
  const failed = (failure: unknown): never => {
    const rethrow = (): never => {
      throw failure;
    };
    return takeStep(observer, step, rethrow, undefined, work, true);
  };
  try {
    const result = body();
    return result instanceof Promise ? (result.catch(failed) as T) : result;
  } catch (failure) {
    return failed(failure);
  }
}

/** Called by the functions that run a step. */
export function takeStep<T>(
  observer: StepObserver,
  named: string | NameHere,
  body: () => T,
  detail: StepDetail | undefined,
  work: Work | undefined,
  inTurn: boolean,
): T {
  const isHere = typeof named !== 'string';
  const step = isHere ? named[0]! : named;
  const open = observer.begin(step, detail, body, work, isHere ? named : undefined) ?? undefined;
  const held = observer.before?.(step, detail);
  let result: T;
  try {
    result =
      held instanceof Promise
        ? (held.then(() => within(open, body, inTurn)) as T)
        : within(open, body, inTurn);
  } catch (failure) {
    open?.over(failure);
    throw failure;
  }
  if (open !== undefined) {
    if (result instanceof Promise) overWith(result, open);
    else open.over();
  }
  return result;
}

const within = <T>(open: OpenStep | undefined, body: () => T, inTurn: boolean): T =>
  open?.within === undefined ? body() : open.within(body, inTurn);

/** The promise that a step returned last, and the steps that end with it. */
let returned: { readonly promise: Promise<unknown>; readonly steps: OpenStep[] } | undefined;

/**
 * A step that returns the promise of a step inside it ends together with it: that costs one reaction instead of one
 * each.
 */
function overWith(promise: Promise<unknown>, open: OpenStep): void {
  if (returned?.promise === promise) {
    returned.steps.push(open);
    return;
  }
  const steps = [open];
  const own = { promise, steps };
  returned = own;
  const over = (failure?: unknown): void => {
    if (returned === own) returned = undefined;
    for (const step of steps) step.over(failure);
  };
  promise.then(() => over(), over);
}

/** Combines several observers, in the given order. */
export function observeAll(observers: readonly StepObserver[]): StepObserver | undefined {
  if (observers.length < 2) return observers[0];
  return {
    begin(...step) {
      const opened = observers.map((observer) => observer.begin(...step));
      return {
        over(failure, more) {
          for (const open of opened.toReversed()) open?.over(failure, more);
        },
        within: (inner, inTurn) =>
          opened.reduceRight(
            (call, open) => (open?.within === undefined ? call : () => open.within!(call, inTurn)),
            inner,
          )(),
      };
    },
    before: (step, detail) => heldBy(observers, step, detail),
    scope: (undertaking) =>
      observeAll(
        observers.map((observer) => scopeOf(observer, undertaking)).filter((scope) => scope !== undefined),
      ),
    note: (values) => observers.forEach((observer) => observer.note?.(values)),
    wrote: (revision, key) => observers.forEach((observer) => observer.wrote?.(revision, key)),
    traceParent: () => firstOf(observers, (observer) => observer.traceParent?.()),
    causeOf: (key) => firstOf(observers, (observer) => observer.causeOf?.(key)),
    because: (cause, body) =>
      observers.reduceRight(
        (call, observer) => (observer.because === undefined ? call : () => observer.because!(cause, call)),
        body,
      )(),
  };
}

/** In sequence. Returns nothing when there is no delay, so that a synchronous step stays synchronous. */
function heldBy(
  observers: readonly StepObserver[],
  step: string,
  detail: StepDetail | undefined,
): Promise<void> | void {
  let held: Promise<void> | void = undefined;
  for (const observer of observers) {
    if (held instanceof Promise) held = held.then(() => observer.before?.(step, detail));
    else held = observer.before?.(step, detail);
  }
  return held;
}

function firstOf<T>(
  observers: readonly StepObserver[],
  of: (observer: StepObserver) => T | undefined,
): T | undefined {
  for (const observer of observers) {
    const found = of(observer);
    if (found !== undefined) return found;
  }
}
