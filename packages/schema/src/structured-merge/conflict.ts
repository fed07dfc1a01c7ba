/** An apply that would change fields of other owners. */

import { goQuote } from '../scalars/go-quote.ts';
import { pathText } from './path-element.ts';
import { compareText, type Manager } from './managers.ts';

export interface Conflict {
  readonly manager: Manager;
  readonly path: readonly string[];
}

/** Returned as 409 with a cause per conflict, reason FieldManagerConflict. */
export class ApplyConflictError extends Error {
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super(messageOf(conflicts));
    this.conflicts = conflicts;
  }

  /** Upstream's order is random; here by manager, then by path. */
  get causes(): { reason: 'FieldManagerConflict'; message: string; field: string }[] {
    return this.conflicts.map(({ manager, path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${managerText(manager)}`,
      field: pathText(path),
    }));
  }
}

function messageOf(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${managerText(first.manager)}: ${pathText(first.path)}`;
  }
  const lines: string[] = [];
  const managers = [...new Set(conflicts.map(({ manager }) => manager))];
  for (const manager of managers.sort((a, b) => compareText(managerText(a), managerText(b)))) {
    lines.push(`conflicts with ${managerText(manager)}:`);
    for (const conflict of conflicts)
      if (conflict.manager === manager) lines.push(`- ${pathText(conflict.path)}`);
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

/** `"x"`, `"x" using v1`, `"x" with subresource "status" using v1` */
function managerText({ name, operation, apiVersion, subresource }: Manager): string {
  const who = goQuote(name) + (subresource === '' ? '' : ` with subresource ${goQuote(subresource)}`);
  return operation === 'Update' ? `${who} using ${apiVersion}` : who;
}
