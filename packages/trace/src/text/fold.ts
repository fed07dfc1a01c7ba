/** Folds the steps of an undertaking to those that matter. */

import { selfNs } from '../causality.ts';
import { isFilterStep, nextOfFilter } from '../filter-steps.ts';
import type { Step } from '../recording.ts';

export type Row = SingleRow | FoldedRow;

export interface SingleRow {
  readonly kind: 'step';
  readonly step: Step;
  readonly rows: readonly Row[];
}

/** Steps one after the other of which there is little to say. */
export interface FoldedRow {
  readonly kind: 'folded';
  /** Filters are told by their number, others by their names. */
  readonly filters: boolean;
  readonly steps: readonly Step[];
  readonly selfNs: number;
}

export interface FoldOptions {
  /** Steps that took less than this, and say nothing, are folded. */
  readonly leastNs: number;
  /** Nothing is folded. */
  readonly everything: boolean;
  /** Whether something else stands below a step: it has a row then. */
  readonly leadsOn: (step: Step) => boolean;
}

export function fold(steps: readonly Step[], options: FoldOptions): readonly Row[] {
  const rows: Row[] = [];
  let folded: Step[] = [];
  const flush = () => {
    const [only, ...others] = folded;
    if (only !== undefined)
      rows.push(others.length === 0 && !isFilterStep(only) ? single(only, options) : foldedRow(folded));
    folded = [];
  };
  for (const step of inARow(steps)) {
    if (folded.length > 0 && isFilterStep(folded[0]!) !== isFilterStep(step)) flush();
    if (!options.everything && !matters(step, options)) folded.push(step);
    else {
      flush();
      rows.push(single(step, options));
    }
  }
  flush();
  return rows;
}

const single = (step: Step, options: FoldOptions): SingleRow => ({
  kind: 'step',
  step,
  rows: fold(step.steps, options),
});

const foldedRow = (steps: readonly Step[]): FoldedRow => ({
  kind: 'folded',
  filters: steps.every(isFilterStep),
  steps,
  selfNs: steps.reduce((sum, step) => sum + (step.durationNs ?? 0), 0),
});

/** A filter calls the next: they are shown one after the other, each with what it took itself. */
function inARow(steps: readonly Step[]): readonly Step[] {
  if (!steps.some((step) => isFilterStep(step) && step.steps.length > 0)) return steps;
  return steps.flatMap((step) => {
    if (!isFilterStep(step)) return [step];
    const next = nextOfFilter(step);
    if (next === undefined) return [step];
    const own = step.steps.filter((child) => child !== next);
    const ownNs = selfNs({ ...step, steps: [next] });
    return [{ ...step, steps: own, ...(ownNs !== undefined && { durationNs: ownNs }) }, ...inARow([next])];
  });
}

/** A filter that let the request through decided nothing. */
function matters(step: Step, options: FoldOptions): boolean {
  if (step.failure !== undefined || hasDecided(step)) return true;
  if (isFilterStep(step)) return step.steps.some((child) => hasMattered(child, options));
  if (options.leadsOn(step)) return true;
  return (
    (step.durationNs ?? Infinity) >= options.leastNs ||
    Object.keys(step.values ?? {}).length > 0 ||
    step.steps.some((child) => matters(child, options))
  );
}

/** In a filter: what was asked there is of interest where it failed, decided or led on. */
const hasMattered = (step: Step, options: FoldOptions): boolean =>
  step.failure !== undefined ||
  hasDecided(step) ||
  options.leadsOn(step) ||
  step.steps.some((child) => hasMattered(child, options));

/** It refused, changed the object, or let somebody act as another. */
const hasDecided = (step: Step): boolean =>
  hasRefused(step) ||
  step.values?.['impersonated'] !== undefined ||
  (Array.isArray(step.values?.['diff']) && step.values['diff'].length > 0);

export const hasRefused = ({ values = {} }: Step): boolean =>
  !['allow', undefined].includes(values['verdict'] as string | undefined);
