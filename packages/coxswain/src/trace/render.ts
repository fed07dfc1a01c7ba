/** A recording as text: a line per step, indented as the steps were called, with duration and source. */

import type { Step, Undertaking } from '@coxswain/trace/recording.ts';

export interface RenderOptions {
  /** Columns of the terminal; sources are put at the right when there is room. */
  readonly columns: number;
}

/** The column at which durations end. */
const durationWidth = 11;
const columnsMin = 80;
const nanosecondsPerMs = 1_000_000;

export function renderTrace(undertakings: readonly Undertaking[], options: RenderOptions): string {
  const fromNs = undertakings[0]?.startNs ?? 0;
  return undertakings.map((undertaking) => renderUndertaking(undertaking, fromNs, options)).join('\n');
}

function renderUndertaking(undertaking: Undertaking, fromNs: number, options: RenderOptions): string {
  const { kind, name, component } = undertaking;
  const title = `+${((undertaking.startNs - fromNs) / nanosecondsPerMs).toFixed(1)} ms  ${kind} ${name} (${component})`;
  return [title, ...undertaking.steps.flatMap((step) => renderStep(step, 1, options)), ''].join('\n');
}

/**
 * A step whose whole work is to call one other (a filter) stands above it, not around it, and shows the time
 * that it took itself: a chain reads as a list.
 */
function renderStep(step: Step, depth: number, options: RenderOptions): string[] {
  const [only, ...others] = step.steps;
  if (only === undefined || others.length > 0) {
    return [
      line(step, step.durationNs, depth, options),
      ...step.steps.flatMap((child) => renderStep(child, depth + 1, options)),
    ];
  }
  const ownNs =
    step.durationNs === undefined ? undefined : Math.max(0, step.durationNs - (only.durationNs ?? 0));
  return [line(step, ownNs, depth, options), ...renderStep(only, depth, options)];
}

function line(step: Step, durationNs: number | undefined, depth: number, options: RenderOptions): string {
  const left = `${formatDuration(durationNs).padStart(durationWidth)}  ${'  '.repeat(depth - 1)}${headline(step)}`;
  return step.file === '' ? left : alignRight(left, `${step.file}:${step.line}`, options.columns);
}

function headline({ name, values, failure }: Step): string {
  const told = Object.entries(values ?? {}).map(([key, value]) => `${key}=${formatValue(value)}`);
  return [name, ...told, ...(failure === undefined ? [] : [`✗ ${failure}`])].join(' ');
}

const formatValue = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));

function alignRight(left: string, right: string, columns: number): string {
  const gap = Math.max(columns, columnsMin) - left.length - right.length;
  return `${left}${' '.repeat(Math.max(2, gap))}${right}`;
}

/** Microseconds below a millisecond: most steps take a few. */
function formatDuration(ns: number | undefined): string {
  if (ns === undefined) return '…';
  const ms = ns / nanosecondsPerMs;
  return ms < 1 ? `${Math.round(ms * 1000)} µs` : `${ms.toFixed(1)} ms`;
}
