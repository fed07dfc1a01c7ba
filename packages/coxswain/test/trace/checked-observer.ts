/** Determines the position of each recorded step by other means than the recorder, from the stack and the text. */

import type { OpenStep, StepObserver, Work } from '@coxswain/apimachinery';

/** The expected position of a step. */
export type Expected =
  | {
      readonly kind: 'stack';
      readonly file: string;
      readonly line: number;
      readonly column: number;
      /** The text of the code that runs there. */
      readonly body: string;
    }
  | { readonly kind: 'function'; readonly text: string };

export function checkedObserver(inner: StepObserver, expected: Map<unknown, Expected>): StepObserver {
  return {
    begin(step, detail, body, work, place) {
      const open: OpenStep | void = inner.begin(step, detail, body, work, place);
      if (open !== undefined)
        expected.set(open, work === undefined ? { ...caller(), body: String(body) } : ofFunction(work));
      return open;
    },
    scope(undertaking) {
      const scope = inner.scope?.(undertaking);
      return scope && checkedObserver(scope, expected);
    },
    note: (values) => inner.note?.(values),
    wrote: (revision, key) => inner.wrote?.(revision, key),
    traceParent: () => inner.traceParent?.(),
    causeOf: (key) => inner.causeOf?.(key),
    because: (cause, body) => inner.because!(cause, body),
  };
}

/** Finds the caller of `runStep` in the text of the stack. */
function caller(): Omit<Extract<Expected, { kind: 'stack' }>, 'body'> {
  const lines = (new Error('here').stack ?? '').split('\n');
  // Steps are nested; the innermost one is starting.
  const at = lines.findIndex((line) => /\bat runStep(InTurn)? \(/.test(line));
  const match = /(?:file:\/\/)?(\/[^\s()]+):(\d+):(\d+)\)?$/.exec(lines[at + 1] ?? '');
  if (match === null) throw new Error(`nobody called runStep:\n${lines.join('\n')}`);
  return { kind: 'stack', file: match[1]!, line: Number(match[2]), column: Number(match[3]) };
}

const ofFunction = (work: Work): Expected => ({ kind: 'function', text: sourceOf(work) });

/** A bound function has no source text and is checked by name. */
function sourceOf(work: Work): string {
  const text = Function.prototype.toString.call(work);
  return text.includes('[native code]') ? work.name.replace(/^bound /, '') : text;
}
