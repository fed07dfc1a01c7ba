/**
 * The one hook interface. Every step that a request, a reconcile or a command passes has a name, and
 * whoever wants to know about it (trace, audit, metrics, recording) or to disturb it (faults) is a
 * {@link StepObserver}. With no observer a step is a plain call: {@link runStep} then costs one
 * comparison and allocates nothing.
 */

/** What a step tells about itself. Values must be cheap to hand over: strings, numbers, references. */
export type StepDetail = Readonly<Record<string, unknown>>;

/**
 * - `command`: a run of a program, from its arguments to its exit code
 * - `request`: a request, as the server sees it
 * - `reconcile`: one look of a controller at one key
 * - `schedule`: one attempt to place one pod
 * - `sync`: one look of a kubelet at one pod
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

/** Steps that belong together, whatever else goes on at the same time. */
export interface Undertaking {
  readonly kind: UndertakingKind;
  /** The program or part that undertakes it: `kubectl`, `deployment-controller`, `kubelet/node-0`. */
  readonly component: string;
  /** `default/web`, `GET /api/v1/pods` */
  readonly name: string;
  readonly values?: StepDetail;
  /** Why it is undertaken, as far as that is known. */
  readonly causes?: readonly Cause[];
}

/** Why something is undertaken. */
export type Cause =
  /** A request was sent: W3C trace context, as in its header. */
  | { readonly by: 'call'; readonly traceParent: string }
  /** A write was seen in a watch. */
  | { readonly by: 'revision'; readonly revision: number; readonly key: string }
  /** An undertaking queued a key. */
  | { readonly by: 'queue'; readonly from: string; readonly key: string };

/** A function, to be told by its name and place. */
// oxlint-disable-next-line typescript/no-unsafe-function-type
export type Work = Function;

/** A step that has begun. */
export interface OpenStep {
  /** Called once when the step is over; `failure` is what it threw. */
  over(failure?: unknown, detail?: StepDetail): void;
  /**
   * Calls the body of the step, so that what is undertaken in it is known to belong there.
   * @param inTurn whether nothing else is under way in what the step is part of: see {@link runStepInTurn}
   */
  within?<T>(body: () => T, inTurn: boolean): T;
}

/**
 * The name of a step that is taken in one place of the code only, written there as `` here`encode` ``. The language has
 * one such value for each place, so whoever wants to know the place needs to look at the stack once only.
 */
export type NameHere = TemplateStringsArray;

export const here = (name: NameHere): NameHere => name;

export interface StepObserver {
  /**
   * Called when a step begins. Returns what is to be told of its end, or nothing when the observer
   * does not care. A throw here is the step's failure (that is how a fault is injected).
   * @param place the same value whenever the step is taken in the same place; absent where nothing tells
   */
  begin(step: string, detail?: StepDetail, body?: Work, work?: Work, place?: object): OpenStep | void;
  /** A delay or failure to apply before an asynchronous step runs. */
  before?(step: string, detail?: StepDetail): Promise<void> | void;
  /** An observer for one undertaking; nothing where it is not watched. Asked for through {@link scopeOf}. */
  scope?(undertaking: () => Undertaking): StepObserver | undefined;
  /** Tells values of the step that is under way. */
  note?(values: StepDetail): void;
  /** The step that is under way has written this. */
  wrote?(revision: number, key: string): void;
  /** W3C trace context of the undertaking that is under way, to be sent along with its requests. */
  traceParent?(): string | undefined;
  /** What happens now, as the cause of what is done with `key` later. */
  causeOf?(key: string): Cause | undefined;
  /** Calls `body`, which happens because of `cause`. */
  because?<T>(cause: () => Cause, body: () => T): T;
}

/** The observer for one undertaking; nothing when nobody is watching. */
export const scopeOf = (
  observer: StepObserver | undefined,
  undertaking: () => Undertaking,
): StepObserver | undefined => (observer?.scope === undefined ? observer : observer.scope(undertaking));

/** Calls `body`, which happens because of `cause`; nobody asks for that when nobody is watching. */
export const becauseOf = <T>(observer: StepObserver | undefined, cause: () => Cause, body: () => T): T =>
  observer?.because === undefined ? body() : observer.because(cause, body);

/**
 * Runs `body` as the step called `step`. Synchronous and asynchronous bodies both work. Where a loop runs what
 * others have registered (filters, plugins, reconcilers), `work` is the function that does the work.
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
 * The same for steps of which one is under way at a time, in the one before it or after it: the filters and the
 * handler of a request. An observer then needs no context of its own for each.
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

/** Called by what is called where a step is taken. */
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

/** The promise that a step has returned last, and the steps that are over with it. */
let returned: { readonly promise: Promise<unknown>; readonly steps: OpenStep[] } | undefined;

/** A step that returns what the step within it returned is over together with it: that costs one reaction, not one each. */
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

/** Several observers as one, in the order given. */
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

/** One after the other. Nothing where nobody delays it: a synchronous step stays one. */
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
