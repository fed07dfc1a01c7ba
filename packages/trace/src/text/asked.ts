/** What somebody asks to be shown, by its name: `kube-scheduler`, `filters`, `admission`, `validate`, `syncDeployment`. */

import { isFilterStep } from '../filter-steps.ts';
import type { Recording, Step, Undertaking } from '../recording.ts';
import { fold, type SingleRow } from './fold.ts';

/** All filters of a request, whatever their names. */
const filtersName = 'filters';

/** By its kind, its component (`kubelet` is that of every node), or the beginning of its name. */
export const isAskedUndertaking = (
  { kind, component, name }: Undertaking,
  asked: readonly string[],
): boolean =>
  asked.some(
    (term) => kind === term || component === term || component.startsWith(`${term}/`) || isPathOf(term, name),
  );

/** `GET /api/v1/pods` asks for those with a query, too. */
const isPathOf = (term: string, name: string): boolean =>
  term !== '' && name.startsWith(term) && ['', '?', ' '].includes(name.slice(term.length, term.length + 1));

/** By its name, parts of it (`admission`, `NamespaceLifecycle`), or its function. */
const isAskedStep = (step: Step, asked: readonly string[]): boolean =>
  asked.some(
    (term) =>
      `/${step.name}/`.includes(`/${term}/`) ||
      step.function === term ||
      (term === filtersName && isFilterStep(step)),
  );

/** The outermost steps that are asked for, each with all that is in it; filters without the next one. */
export function askedRows(steps: readonly Step[], asked: readonly string[]): readonly SingleRow[] {
  const search = (rows: ReturnType<typeof fold>): readonly SingleRow[] =>
    rows.flatMap((row) => {
      if (row.kind === 'folded') return [];
      return isAskedStep(row.step, asked) ? [row] : search(row.rows);
    });
  return search(fold(steps, { leastNs: 0, everything: true, leadsOn: () => true }));
}

/** What can be asked for in a recording. */
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
