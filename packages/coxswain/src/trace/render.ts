/** A recording as text: a line per step, indented as the steps were called, with duration and source. */

import type { RecordedStep } from './recorder.ts';
import { sourceOf, type StepSources } from './step-sources.ts';

export interface RenderOptions {
  readonly sources: StepSources;
  /** Columns of the terminal; sources are put at the right when there is room. */
  readonly columns: number;
}

/** The column at which durations end. */
const durationWidth = 11;
const columnsMin = 80;

export function renderTrace(scopes: readonly RecordedStep[], options: RenderOptions): string {
  const fromMs = scopes[0]?.startMs ?? 0;
  return scopes.map((scope) => renderScope(scope, fromMs, options)).join('\n');
}

function renderScope(scope: RecordedStep, fromMs: number, options: RenderOptions): string {
  const title = `+${(scope.startMs - fromMs).toFixed(1)} ms  ${headline(scope)}`;
  return [title, ...scope.steps.flatMap((step) => renderStep(step, 1, options)), ''].join('\n');
}

/**
 * A step whose whole work is to call one other (a filter) stands above it, not around it, and shows the time
 * that it took itself: a chain reads as a list.
 */
function renderStep(step: RecordedStep, depth: number, options: RenderOptions): string[] {
  const [only, ...others] = step.steps;
  if (only === undefined || others.length > 0) {
    return [
      line(step, step.durationMs, depth, options),
      ...step.steps.flatMap((child) => renderStep(child, depth + 1, options)),
    ];
  }
  const ownMs =
    step.durationMs === undefined ? undefined : Math.max(0, step.durationMs - (only.durationMs ?? 0));
  return [line(step, ownMs, depth, options), ...renderStep(only, depth, options)];
}

function line(
  step: RecordedStep,
  durationMs: number | undefined,
  depth: number,
  options: RenderOptions,
): string {
  const left = `${formatDuration(durationMs).padStart(durationWidth)}  ${'  '.repeat(depth - 1)}${headline(step)}`;
  const right = sourceText(step, options.sources);
  return right === undefined ? left : alignRight(left, right, options.columns);
}

/** What the step says itself in `file`, or where its name stands. */
function sourceText({ step, detail }: RecordedStep, sources: StepSources): string | undefined {
  if (typeof detail?.['file'] === 'string') return detail['file'];
  const source = sourceOf(sources, step);
  return source && `${source.file}:${source.line}`;
}

function headline({ step, detail, failure }: RecordedStep): string {
  const told = Object.entries(detail ?? {})
    .filter(([name, value]) => name !== 'file' && value !== undefined && value !== '')
    .map(([name, value]) => (name === 'what' ? String(value) : `${name}=${formatValue(value)}`));
  return [step, ...told, ...(failure === undefined ? [] : [`✗ ${failure}`])].join(' ');
}

const formatValue = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));

function alignRight(left: string, right: string, columns: number): string {
  const gap = Math.max(columns, columnsMin) - left.length - right.length;
  return `${left}${' '.repeat(Math.max(2, gap))}${right}`;
}

/** Microseconds below a millisecond: most steps take a few. */
function formatDuration(ms: number | undefined): string {
  if (ms === undefined) return '…';
  return ms < 1 ? `${Math.round(ms * 1000)} µs` : `${ms.toFixed(1)} ms`;
}
