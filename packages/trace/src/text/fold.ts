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
  let folded: Placed[] = [];
  const flush = () => {
    const [only, ...others] = folded;
    if (only !== undefined)
      rows.push(others.length === 0 && !only.isFilter ? single(only.step, options) : foldedRow(folded));
    folded = [];
  };
  for (const placed of inARow(steps)) {
    if (folded.length > 0 && kindOf(folded[0]!) !== kindOf(placed)) flush();
    if (!options.everything && !matters(placed, options)) folded.push(placed);
    else {
      flush();
      rows.push(single(placed.step, options));
    }
  }
  flush();
  return rows;
}

/** A step; a filter without the next one, which is beside it. */
interface Placed {
  readonly step: Step;
  readonly isFilter: boolean;
}

/** What is registered in one place is folded together: filters, plugins of `admission/validate`. */
const kindOf = ({ step, isFilter }: Placed): string =>
  isFilter ? 'filter' : step.name.slice(0, step.name.lastIndexOf('/') + 1);

const single = (step: Step, options: FoldOptions): SingleRow => ({
  kind: 'step',
  step,
  rows: fold(step.steps, options),
});

const foldedRow = (folded: readonly Placed[]): FoldedRow => ({
  kind: 'folded',
  filters: folded.every(({ isFilter }) => isFilter),
  steps: folded.map(({ step }) => step),
  selfNs: folded.reduce((sum, { step }) => sum + (step.durationNs ?? 0), 0),
});

/**
 * Filters call one another; they are listed in sequence, each with its own time. One that called nothing and ended has
 * answered the request itself.
 */
function inARow(steps: readonly Step[]): readonly Placed[] {
  return steps.flatMap((step): readonly Placed[] => {
    if (!isFilterStep(step)) return [{ step, isFilter: false }];
    const next = nextOfFilter(step);
    if (next === undefined) {
      const values = hasAnswered(step) ? { answered: true, ...step.values } : step.values;
      return [{ step: { ...step, ...(values !== undefined && { values }) }, isFilter: true }];
    }
    const own = step.steps.filter((child) => child !== next);
    const ownNs = selfNs({ ...step, steps: [next] });
    const alone = { ...step, steps: own, ...(ownNs !== undefined && { durationNs: ownNs }) };
    return [{ step: alone, isFilter: true }, ...inARow([next])];
  });
}

/** One that failed or refused says so itself. */
const hasAnswered = (filter: Step): boolean =>
  filter.durationNs !== undefined && filter.failure === undefined && !hasRefused(filter);

/** A filter that let the request through decided nothing. */
function matters({ step, isFilter }: Placed, options: FoldOptions): boolean {
  if (step.failure !== undefined || hasDecided(step)) return true;
  if (isFilter) return step.steps.some((child) => hasMattered(child, options));
  if (options.leadsOn(step) || (options.keepsSingular === true && !step.name.includes('/'))) return true;
  return (
    (step.durationNs ?? Infinity) >= options.leastNs ||
    Object.keys(step.values ?? {}).length > 0 ||
    step.steps.some((child) => matters({ step: child, isFilter: isFilterStep(child) }, options))
  );
}

/** Whether a step within a filter is of interest: it failed, decided something, or leads to something else. */
const hasMattered = (step: Step, options: FoldOptions): boolean =>
  step.failure !== undefined ||
  hasDecided(step) ||
  options.leadsOn(step) ||
  step.steps.some((child) => hasMattered(child, options));

/** Whether it refused or answered the request, changed the object, or allowed impersonation. */
const hasDecided = (step: Step): boolean =>
  hasRefused(step) ||
  step.values?.['answered'] === true ||
  step.values?.['impersonated'] !== undefined ||
  (Array.isArray(step.values?.['diff']) && step.values['diff'].length > 0);

export const hasRefused = ({ values = {} }: Step): boolean =>
  !['allow', undefined].includes(values['verdict'] as string | undefined);
