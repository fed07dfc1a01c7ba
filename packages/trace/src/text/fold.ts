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

/** Consecutive steps that are of little interest. */
export interface FoldedRow {
  readonly kind: 'folded';
  /** Filters are shown as a count, other steps by name. */
  readonly filters: boolean;
  readonly steps: readonly Step[];
  readonly selfNs: number;
}

export interface FoldOptions {
  /** Steps that took less time and hold nothing of interest are folded. */
  readonly leastNs: number;
  /** Disables folding. */
  readonly everything: boolean;
  /** Reports whether a step has something else below it, and so needs a row of its own. */
  readonly leadsOn: (step: Step) => boolean;
  /** Steps that are not one of several registered ones (filters, plugins), such as `validate`, are not folded. */
  readonly keepsSingular?: boolean;
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
    if (folded.length > 0 && kindOf(folded[0]!) !== kindOf(step)) flush();
    if (!options.everything && !matters(step, options)) folded.push(step);
    else {
      flush();
      rows.push(single(step, options));
    }
  }
  flush();
  return rows;
}

/** What is registered in one place is folded together: filters, plugins of `admission/validate`. */
const kindOf = (step: Step): string =>
  isFilterStep(step) ? 'filter' : step.name.slice(0, step.name.lastIndexOf('/') + 1);

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

/** Filters call one another; they are listed in sequence, each with its own time. */
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
  if (options.leadsOn(step) || (options.keepsSingular === true && kindOf(step) === '')) return true;
  return (
    (step.durationNs ?? Infinity) >= options.leastNs ||
    Object.keys(step.values ?? {}).length > 0 ||
    step.steps.some((child) => matters(child, options))
  );
}

/** Whether a step within a filter is of interest: it failed, decided something, or leads to something else. */
const hasMattered = (step: Step, options: FoldOptions): boolean =>
  step.failure !== undefined ||
  hasDecided(step) ||
  options.leadsOn(step) ||
  step.steps.some((child) => hasMattered(child, options));

/** Whether it refused the request, changed the object, or allowed impersonation. */
const hasDecided = (step: Step): boolean =>
  hasRefused(step) ||
  step.values?.['impersonated'] !== undefined ||
  (Array.isArray(step.values?.['diff']) && step.values['diff'].length > 0);

export const hasRefused = ({ values = {} }: Step): boolean =>
  !['allow', undefined].includes(values['verdict'] as string | undefined);
