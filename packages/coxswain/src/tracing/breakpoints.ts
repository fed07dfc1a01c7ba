/** Halts at steps: the whole process stops, so that nothing changes while the user looks. */

import { readSync } from 'node:fs';
import inspector from 'node:inspector';
import { CallSites, plainName } from '@coxswain/trace/call-sites.ts';
import { plainValues } from '@coxswain/trace/plain-values.ts';
import type { StepDetail, StepObserver, Work } from '@coxswain/apimachinery';
import { nodePlaces } from '../trace/node-places.ts';
import { isStepNamed } from './step-names.ts';

export interface Breakpoints {
  readonly observer: StepObserver;
  /** Enables the breakpoints; earlier steps do not halt. */
  arm(): void;
  disarm(): void;
  /** Names the steps that were not taken, at the end. */
  readonly complaint: string | undefined;
}

export interface BreakpointOptions {
  readonly steps: readonly string[];
  /** Whether a debugger should stop there as well. */
  readonly inspects: boolean;
  readonly err: { write(text: string): unknown };
  /** Returns when execution may continue. */
  readonly wait?: () => void;
}

export function breakpoints({ steps, inspects, err, wait = untilEnter }: BreakpointOptions): Breakpoints {
  const places = nodePlaces();
  const sites = new CallSites();
  const reached = new Set<string>();
  let isArmed = false;
  const observer: StepObserver = {
    begin(step, detail, body, work, here) {
      if (!isArmed) return;
      const asked = steps.filter((term) => isStepNamed(step, term));
      if (asked.length === 0) return;
      for (const term of asked) reached.add(term);
      const site = work === undefined ? sites.find(observer.begin, here) : undefined;
      const place =
        work === undefined
          ? site && places.source(site.url, site.line, site.column)
          : places.definition(work);
      err.write(haltText(step, detail, place, nameOf(body, work) || (site?.function ?? '')));
      if (!inspects) {
        wait();
        return;
      }
      return { over: () => undefined, within: inDebugger };
    },
  };
  return {
    observer,
    arm() {
      isArmed = true;
    },
    disarm() {
      isArmed = false;
    },
    get complaint() {
      const missed = steps.filter((step) => !reached.has(step));
      return missed.length === 0 ? undefined : `--break: no step ${missed.join(' or ')} was taken`;
    },
  };
}

const nameOf = (body: Work | undefined, work: Work | undefined): string =>
  plainName((work ?? body)?.name ?? '');

function haltText(
  step: string,
  values: StepDetail | undefined,
  place: { readonly file: string; readonly line: number } | undefined,
  name: string,
): string {
  const at = place === undefined ? '' : `  ${place.file}:${place.line}${name === '' ? '' : `  ${name}`}`;
  const shown = values === undefined ? '' : `${JSON.stringify(plainValues(values), undefined, 2)}\n`;
  return `\n● ${step}${at}\n${shown}  Press Enter to continue: `;
}

/** Reads one line of input; at the end of the input, execution continues. */
function untilEnter(): void {
  const byte = new Uint8Array(1);
  const lineFeed = 10;
  for (;;) {
    try {
      if (readSync(0, byte) === 0 || byte[0] === lineFeed) return;
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

/** The debugger stops here; stepping in once leads to the work. */
function inDebugger<T>(body: () => T): T {
  // oxlint-disable-next-line no-debugger
  debugger;
  return body();
}

/** Opens Node's inspector and waits for a debugger. */
export function waitForDebugger(err: { write(text: string): unknown }): void {
  if (inspector.url() === undefined) inspector.open(0, '127.0.0.1');
  err.write(
    `The debugger listens at ${inspector.url()}\nOpen chrome://inspect or attach an editor to continue.\n`,
  );
  inspector.waitForDebugger();
}
