/** A recording as text: a line per step, indented as the steps were called, with duration and source. */

import type { RecordedStep } from './recorder.ts';
import type { StepSources } from './step-sources.ts';

export interface RenderOptions {
  readonly sources: StepSources;
  /** Columns of the terminal; sources are put at the right when there is room. */
  readonly columns: number;
}

/** The column at which durations end. */
const durationWidth = 11;
const columnsMin = 80;

export function renderTrace(scopes: readonly RecordedStep[], options: RenderOptions): string {
  return scopes.map((scope) => renderScope(scope, options)).join('\n');
}

function renderScope(scope: RecordedStep, options: RenderOptions): string {
  const title = `${formatOffset(scope.startMs)}  ${headline(scope)}`;
  return [title, ...scope.steps.flatMap((step) => renderStep(step, 1, options)), ''].join('\n');
}

function renderStep(step: RecordedStep, depth: number, options: RenderOptions): string[] {
  const left = `${formatDuration(step.durationMs).padStart(durationWidth)}  ${'  '.repeat(depth - 1)}${headline(step)}`;
  const source = options.sources[step.step];
  const line = source === undefined ? left : alignRight(left, `${source.file}:${source.line}`, options.columns);
  return [line, ...step.steps.flatMap((child) => renderStep(child, depth + 1, options))];
}

function headline({ step, detail, failure }: RecordedStep): string {
  const told = Object.entries(detail ?? {})
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => (name === 'what' ? String(value) : `${name}=${formatValue(value)}`));
  return [step, ...told, ...(failure === undefined ? [] : [`✗ ${failure}`])].join(' ');
}

const formatValue = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));

function alignRight(left: string, right: string, columns: number): string {
  const gap = Math.max(columns, columnsMin) - left.length - right.length;
  return `${left}${' '.repeat(Math.max(2, gap))}${right}`;
}

const formatOffset = (ms: number): string => `+${ms.toFixed(1)} ms`;

/** Microseconds below a millisecond: most steps take a few. */
function formatDuration(ms: number | undefined): string {
  if (ms === undefined) return '…';
  return ms < 1 ? `${Math.round(ms * 1000)} µs` : `${ms.toFixed(1)} ms`;
}
