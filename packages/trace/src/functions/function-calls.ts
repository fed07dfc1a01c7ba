/**
 * Records the calls of instrumented functions as steps, if the recorder has a source of calls. A call belongs to the
 * step or call that it is made in, across awaits.
 */

import type { Work } from '@coxswain/apimachinery';
import type { CalledFunction } from '../called-function.ts';
import { RecordedStep, type RecordedLog, type RecordedUndertaking } from '../recorded-log.ts';
import { Summaries } from './summaries.ts';

export interface CallListener {
  /**
   * Runs the body of a function. @param above the function that called this method: the frame above it on the stack is
   * the instrumented function
   */
  call<T>(of: CalledFunction, args: readonly unknown[], body: () => T, above: Work): T;
  /** The same for a generator, whose body runs as its values are requested. */
  iterate<T extends AnyIterator>(of: CalledFunction, args: readonly unknown[], body: () => T, above: Work): T;
}

/** A synchronous or asynchronous iterator. */
export type AnyIterator = Record<'next' | 'return' | 'throw', (value: unknown) => unknown>;

export interface CallSource {
  /** Reports whether the functions of a loaded file are recorded. */
  sees(url: string): boolean;
  listen(listener: CallListener): void;
  /** The maximum depth of nested calls recorded within a step. */
  readonly depthMax: number;
}

/** The maximum number of calls. Calls are numerous and must leave room for steps. */
const callsMax = 100_000;

export class FunctionCalls {
  readonly #log: RecordedLog;
  readonly #source: CallSource;
  readonly #summaries = new Summaries();
  #kept = 0;

  constructor(log: RecordedLog, source: CallSource) {
    this.#log = log;
    this.#source = source;
  }

  listen(): void {
    this.#source.listen({
      call: (of, args, body, above) => {
        const step = this.#begun(of, args, above);
        return step === undefined ? body() : this.#called(step, body);
      },
      iterate: (of, args, body, above) => {
        const step = this.#begun(of, args, above);
        return step === undefined ? body() : this.#iterated(step, body);
      },
    });
  }

  #called<T>(step: RecordedStep, body: () => T): T {
    let result: T;
    try {
      result = step.within(body);
    } catch (failure) {
      step.over(failure);
      throw failure;
    }
    if (!(result instanceof Promise)) {
      this.#over(step, result);
      return result;
    }
    // The original promise, not one derived from it: callers may compare it or depend on the number of its microtasks.
    result.then(
      (value: unknown) => this.#over(step, value),
      (failure: unknown) => step.over(failure),
    );
    return result;
  }

  #iterated<T extends AnyIterator>(step: RecordedStep, body: () => T): T {
    const iterator = body();
    const turned = (turn: unknown): void => {
      if ((turn as { readonly done?: boolean }).done === true) step.over();
    };
    for (const name of ['next', 'return', 'throw'] as const) {
      const own = iterator[name];
      iterator[name] = (value: unknown) => {
        try {
          const turn = step.within(() => own.call(iterator, value));
          if (turn instanceof Promise) turn.then(turned, (failure: unknown) => step.over(failure));
          else turned(turn);
          return turn;
        } catch (failure) {
          step.over(failure);
          throw failure;
        }
      };
    }
    return iterator;
  }

  #begun(of: CalledFunction, args: readonly unknown[], above: Work): RecordedStep | undefined {
    const parent = this.#parent();
    const depth = (parent?.call?.depth ?? 0) + 1;
    if (parent === undefined || depth > this.#source.depthMax || !this.#isWanted(parent.of)) return undefined;
    if (this.#kept >= callsMax) {
      this.#log.dropped++;
      return undefined;
    }
    this.#kept++;
    const site = this.#log.sites.findCaller(above, (url) => this.#source.sees(url));
    const reported = Object.fromEntries(
      args.flatMap((arg, index): [string, unknown][] => {
        const name = of.parameters[index] ?? String(index);
        return arg === undefined ? [] : [[name, this.#summaries.named(name, arg, parent.of.what.name)]];
      }),
    );
    const values = Object.keys(reported).length === 0 ? undefined : { arguments: reported };
    const step = new RecordedStep(of.name, parent.of, parent, values, undefined, undefined, site);
    step.call = { of, depth, times: 1 };
    parent.add(step);
    return step;
  }

  #over(step: RecordedStep, result: unknown): void {
    if (result !== undefined)
      step.note({ result: this.#summaries.named(step.name, result, step.of.what.name) });
    step.over();
    if (isFolded(step)) this.#kept--;
  }

  /** Undertakings from before the first command do not matter. */
  #isWanted({ startMs }: RecordedUndertaking): boolean {
    const { commandMs } = this.#log;
    return commandMs !== undefined && startMs >= commandMs;
  }

  /** The innermost call that is still running: a function may return before the work that it started is done. */
  #parent(): RecordedStep | undefined {
    let step = this.#log.ambient();
    while (step instanceof RecordedStep && step.of.log === this.#log) {
      if (step.durationMs === undefined) return step;
      step = step.call && step.parent;
    }
  }
}

/** A thousand calls of a small function in a loop are folded into one line: the first call and the count. */
function isFolded(step: RecordedStep): boolean {
  const parent = step.parent!;
  const before = step.previous;
  if (parent.last !== step || before?.call === undefined) return false;
  const isAlike =
    before.call.of === step.call!.of &&
    before.site === step.site &&
    before.durationMs !== undefined &&
    [before, step].every(({ last, failure }) => last === undefined && failure === undefined);
  if (!isAlike) return false;
  parent.last = before;
  before.durationMs! += step.durationMs!;
  before.note({ times: ++before.call.times });
  return true;
}
