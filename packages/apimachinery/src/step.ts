/**
 * The one hook interface. Every step that a request, a reconcile or a command passes has a name, and
 * whoever wants to know about it (trace, audit, metrics, recording) or to disturb it (faults) is a
 * {@link StepObserver}. With no observer a step is a plain call: {@link runStep} then costs one
 * comparison and allocates nothing.
 */

/** What a step tells about itself. Values must be cheap to hand over: strings, numbers, references. */
export type StepDetail = Readonly<Record<string, unknown>>;

/** Called once when the step is over; `failure` is what it threw. */
export type StepEnd = (failure?: unknown, detail?: StepDetail) => void;

export interface StepObserver {
  /**
   * Called when a step begins. Returns what is to be called at its end, or nothing when the observer
   * does not care. A throw here is the step's failure (that is how a fault is injected); a returned
   * promise delays it, and is awaited only by asynchronous steps.
   */
  begin(step: string, detail?: StepDetail): StepEnd | void;
  /** A delay or failure to apply before an asynchronous step runs. */
  before?(step: string, detail?: StepDetail): Promise<void> | void;
  /**
   * An observer for one undertaking (a request, a reconcile, a command), whose steps belong together
   * whatever else goes on at the same time. Asked for through {@link scopeOf}.
   */
  scope?(name: string, detail?: StepDetail): StepObserver | undefined;
}

/** The observer for one undertaking; nothing when nobody is watching. */
export const scopeOf = (
  observer: StepObserver | undefined,
  name: string,
  detail?: StepDetail,
): StepObserver | undefined => (observer?.scope === undefined ? observer : observer.scope(name, detail));

/** Runs `body` as the step called `step`. Synchronous and asynchronous bodies both work. */
export function runStep<T>(
  observer: StepObserver | undefined,
  step: string,
  body: () => T,
  detail?: StepDetail,
): T {
  return observer === undefined ? body() : observed(observer, step, body, detail);
}

function observed<T>(observer: StepObserver, step: string, body: () => T, detail?: StepDetail): T {
  const end = observer.begin(step, detail);
  const held = observer.before?.(step, detail);
  let result: T;
  try {
    result = held instanceof Promise ? (held.then(body) as T) : body();
  } catch (failure) {
    end?.(failure);
    throw failure;
  }
  if (!(result instanceof Promise)) {
    end?.();
    return result;
  }
  return result.then(
    (value) => {
      end?.();
      return value;
    },
    (failure: unknown) => {
      end?.(failure);
      throw failure;
    },
  ) as T;
}

/** Several observers as one, in the order given. */
export function observeAll(observers: readonly StepObserver[]): StepObserver | undefined {
  if (observers.length < 2) return observers[0];
  return {
    begin(step, detail) {
      const ends = observers.map((observer) => observer.begin(step, detail));
      return (failure, more) => {
        for (const end of ends.toReversed()) end?.(failure, more);
      };
    },
    async before(step, detail) {
      for (const observer of observers) await observer.before?.(step, detail);
    },
    scope: (name, detail) =>
      observeAll(
        observers.map((observer) => scopeOf(observer, name, detail)).filter((scope) => scope !== undefined),
      ),
  };
}
