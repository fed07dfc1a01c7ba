/** Finds the place in the code at which a step is taken, from the stack. */

import { takeStep, type Work } from '@coxswain/apimachinery';

/** A place in the running program, in terms of the file that was loaded. */
export interface CallSite {
  readonly url: string;
  readonly line: number;
  readonly column: number;
  /** The enclosing function; empty at the top level of a module. */
  readonly function: string;
}

/** A frame of V8's structured stack. */
interface Frame {
  getFileName(): string | null;
  getLineNumber(): number | null;
  getColumnNumber(): number | null;
  getFunctionName(): string | null;
}

/** V8's own members of Error. */
interface StackErrors {
  stackTraceLimit: number;
  prepareStackTrace: unknown;
  captureStackTrace(holder: object, above: Work): void;
}

const errors = Error as unknown as StackErrors;
const allFrames = (_error: unknown, frames: readonly Frame[]): readonly Frame[] => frames;
/** Between a function and its caller are the frames that carry the context and those of the platform. */
const framesMax = 12;
const columnsMax = 2 ** 20;

/** The places seen so far, one object for each. A program has a few thousand. */
export class CallSites {
  readonly #known = new Map<string, Map<number, CallSite>>();
  readonly #ofPlaces = new WeakMap<object, CallSite>();

  /**
   * Returns the place at which the current step is taken; if nothing calls `runStep`, the caller of `above`.
   * @param place an object that identifies the place: the stack is read only the first time that it is passed
   */
  find(above: Work, place: object | undefined): CallSite | undefined {
    if (place === undefined) return this.#stepTaker(above);
    let site = this.#ofPlaces.get(place);
    if (site === undefined && (site = this.#stepTaker(above))) this.#ofPlaces.set(place, site);
    return site;
  }

  #stepTaker(above: Work): CallSite | undefined {
    const frame = framesAbove(takeStep, 2)[1] ?? framesAbove(above, 1)[0];
    return frame && this.#site(frame);
  }

  /** Returns the caller of the function that called `above`: the next frame in a file that satisfies `isOurs`. */
  findCaller(above: Work, isOurs: (url: string) => boolean): CallSite | undefined {
    const [, ...callers] = framesAbove(above, framesMax);
    const frame = callers.find((one) => isOurs(one.getFileName() ?? ''));
    return frame && this.#site(frame);
  }

  #site(frame: Frame): CallSite | undefined {
    const url = frame.getFileName();
    if (!url) return undefined;
    const line = frame.getLineNumber() ?? 0;
    const column = frame.getColumnNumber() ?? 0;
    let ofFile = this.#known.get(url);
    if (ofFile === undefined) this.#known.set(url, (ofFile = new Map()));
    let site = ofFile.get(line * columnsMax + column);
    if (site === undefined) {
      site = { url, line, column, function: plainName(frame.getFunctionName()) };
      ofFile.set(line * columnsMax + column, site);
    }
    return site;
  }
}

function framesAbove(above: Work, limit: number): readonly Frame[] {
  const { stackTraceLimit, prepareStackTrace } = errors;
  errors.stackTraceLimit = limit;
  errors.prepareStackTrace = allFrames;
  try {
    const holder: { readonly stack?: readonly Frame[] } = {};
    errors.captureStackTrace(holder, above);
    return holder.stack ?? [];
  } finally {
    errors.stackTraceLimit = stackTraceLimit;
    errors.prepareStackTrace = prepareStackTrace;
  }
}

/** Shortens `Kubelet.#syncPod` to `#syncPod` and removes the `$1` that bundlers append to duplicate names. */
export const plainName = (name: string | null): string =>
  (name ?? '').replace(/^(?:.*\.|bound |get |set )*/, '').replace(/\$\d+$/, '');
