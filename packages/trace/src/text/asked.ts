/** Selects what to show by name: `kube-scheduler`, `filters`, `admission`, `validate`, `syncDeployment`. */

import { isFilterStep } from '../filter-steps.ts';
import type { Recording, Step, Undertaking } from '../recording.ts';
import { fold, type SingleRow } from './fold.ts';

/** Stands for all filters of a request, whatever their names. */
const filtersName = 'filters';

/**
 * Matches an undertaking by its kind, its component (`kubelet` matches that of every node), or a prefix of its name.
 */
export const isAskedUndertaking = (
  { kind, component, name }: Undertaking,
  asked: readonly string[],
): boolean =>
  asked.some(
    (term) => kind === term || component === term || component.startsWith(`${term}/`) || isPathOf(term, name),
  );

/** `GET /api/v1/pods` also matches requests with a query. */
const isPathOf = (term: string, name: string): boolean =>
  term !== '' && name.startsWith(term) && ['', '?', ' '].includes(name.slice(term.length, term.length + 1));

/** Matches a step by its whole name. */
const isExactly = (step: Step, term: string): boolean =>
  step.name === term || (term === filtersName && isFilterStep(step));

/** By its function, or a part of its name: `admission`, `NamespaceLifecycle`. */
const isPartly = (step: Step, term: string): boolean =>
  step.function === term || `/${step.name}/`.includes(`/${term}/`);

/**
 * Finds the outermost matching steps of an undertaking, each with everything within it; filters without the next
 * handler. A term that is the name of a step in the recording matches no parts of names and no functions: `patch` is
 * not `handler/patch`, within which it is taken.
 */
export function stepSearch(
  { undertakings }: Recording,
  asked: readonly string[],
): (undertaking: Undertaking) => readonly SingleRow[] {
  const exact = new Set(asked.filter((term) => undertakings.some(({ steps }) => hasStep(steps, term))));
  const isAskedStep = (step: Step): boolean =>
    asked.some((term) => isExactly(step, term) || (!exact.has(term) && isPartly(step, term)));
  const search = (rows: ReturnType<typeof fold>): readonly SingleRow[] =>
    rows.flatMap((row) => {
      if (row.kind === 'folded') return [];
      return isAskedStep(row.step) ? [row] : search(row.rows);
    });
  return ({ steps }) => search(fold(steps, { leastNs: 0, everything: true, leadsOn: () => true }));
}

const hasStep = (steps: readonly Step[], term: string): boolean =>
  steps.some((step) => isExactly(step, term) || hasStep(step.steps, term));

/** All names that can be asked for in a recording. */
export function namesIn({ undertakings }: Recording): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (step: Step): void => {
    for (const part of [step.name, ...step.name.split('/'), step.function]) if (part !== '') names.add(part);
    if (isFilterStep(step)) names.add(filtersName);
    step.steps.forEach(visit);
  };
  for (const { kind, component, name, steps } of undertakings) {
    for (const known of [kind, component, component.split('/')[0]!, name]) names.add(known);
    steps.forEach(visit);
  }
  return names;
}
