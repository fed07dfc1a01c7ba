/** What a step made of an object: each member that differs, by its path. */
import { deepClone, deepEqual, type GroupResource } from '@coxswain/apimachinery';
import { hiddenValue, holdsSecrets } from '@coxswain/api/core/secret-values.ts';

export interface ObjectChange {
  /** `spec.template.spec.containers[0].image` */
  readonly path: string;
  /** Absent when the member was not there before. */
  readonly before?: unknown;
  /** Absent when it is there no more. */
  readonly after?: unknown;
}

/** More changes than this are one that is told as a whole. */
const changesMax = 200;

export function objectChanges(
  resource: GroupResource,
  before: unknown,
  after: unknown,
): readonly ObjectChange[] {
  const changes: ObjectChange[] = [];
  compare('', before, after, changes);
  return holdsSecrets(resource) ? changes.map(hidden) : changes;
}

function compare(path: string, before: unknown, after: unknown, changes: ObjectChange[]): void {
  if (before === after || changes.length >= changesMax) return;
  if (!isComposed(before) || !isComposed(after) || Array.isArray(before) !== Array.isArray(after)) {
    if (deepEqual(before, after)) return;
    changes.push({
      path,
      ...(before !== undefined && { before: deepClone(before) }),
      ...(after !== undefined && { after: deepClone(after) }),
    });
    return;
  }
  for (const name in before) compare(joined(path, name, before), before[name], after[name], changes);
  for (const name in after)
    if (!(name in before)) compare(joined(path, name, after), undefined, after[name], changes);
}

const isComposed = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function joined(path: string, name: string, of: object): string {
  if (Array.isArray(of)) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

const secretMembers = /^(data|stringData)\b|last-applied-configuration$|^metadata(\.annotations)?$/;

const hidden = ({ path, before, after }: ObjectChange): ObjectChange => {
  const shown = (value: unknown) => (secretMembers.test(path) || path === '' ? hiddenValue : value);
  return {
    path,
    ...(before !== undefined && { before: shown(before) }),
    ...(after !== undefined && { after: shown(after) }),
  };
};
