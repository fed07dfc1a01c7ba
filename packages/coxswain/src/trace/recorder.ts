/**
 * Records the steps that are passed, as a tree per undertaking. An undertaking (a command, a request, a
 * reconcile) is a scope; the steps in it nest as they were called.
 */

import type { Clock, StepDetail, StepObserver } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';

export interface RecordedStep {
  readonly step: string;
  readonly detail?: StepDetail;
  /** Milliseconds since the recording began. */
  readonly startMs: number;
  /** Absent while the step is under way. */
  durationMs?: number;
  /** The message of what it threw. */
  failure?: string;
  readonly steps: RecordedStep[];
}

export interface Recorder {
  readonly observer: StepObserver;
  /** The scopes in the order in which they began. */
  readonly scopes: readonly RecordedStep[];
}

/** More steps than this are counted, not kept. */
const stepsMax = 200_000;

export function recorder(clock: Clock): Recorder {
  const startMs = clock.monotonic();
  const scopes: RecordedStep[] = [];
  const loose: RecordedStep = { step: 'unscoped', startMs: 0, steps: [] };
  let kept = 0;

  const observerOf = (root: RecordedStep): StepObserver => {
    const open: RecordedStep[] = [root];
    return {
      begin(step, detail) {
        if (++kept > stepsMax) return;
        const began: RecordedStep = {
          step,
          ...(detail && { detail }),
          startMs: clock.monotonic() - startMs,
          steps: [],
        };
        (open.at(-1) ?? root).steps.push(began);
        open.push(began);
        return (failure, more) => {
          close(began, failure, more);
          const at = open.lastIndexOf(began);
          if (at > 0) open.splice(at, 1);
        };
      },
      // Without a `scope` of its own: what is undertaken within an undertaking nests in it.
    };
  };

  const close = (step: RecordedStep, failure: unknown, more: StepDetail | undefined): void => {
    step.durationMs = clock.monotonic() - startMs - step.startMs;
    if (failure !== undefined) step.failure = messageOf(failure);
    if (more !== undefined) Object.assign(step, { detail: { ...step.detail, ...more } });
  };

  const scope = (name: string, detail?: StepDetail): StepObserver => {
    const root: RecordedStep = {
      step: name,
      ...(detail && { detail }),
      startMs: clock.monotonic() - startMs,
      steps: [],
    };
    scopes.push(root);
    return observerOf(root);
  };

  return { observer: { ...observerOf(loose), scope }, scopes };
}
