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

/** Matches a step by its name, a part of it (`admission`, `NamespaceLifecycle`), or its function. */
const isAskedStep = (step: Step, asked: readonly string[]): boolean =>
  asked.some(
    (term) =>
      `/${step.name}/`.includes(`/${term}/`) ||
      step.function === term ||
      (term === filtersName && isFilterStep(step)),
  );

/** The outermost matching steps, each with everything within it; filters without the next handler. */
export function askedRows(steps: readonly Step[], asked: readonly string[]): readonly SingleRow[] {
  const search = (rows: ReturnType<typeof fold>): readonly SingleRow[] =>
    rows.flatMap((row) => {
      if (row.kind === 'folded') return [];
      return isAskedStep(row.step, asked) ? [row] : search(row.rows);
    });
  return search(fold(steps, { leastNs: 0, everything: true, leadsOn: () => true }));
}

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
