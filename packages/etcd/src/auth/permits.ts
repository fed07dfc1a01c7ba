/** Whether the roles of a user cover a range of keys. */
import type { KeyRange } from '@coxswain/storage';
import { endOfKeys } from '@coxswain/storage/key-bytes.ts';
import { root, type AuthState, type Permission, type User } from './auth-state.ts';

export type Access = 'read' | 'write';

export const isRoot = (user: User): boolean => user.roles.includes(root);

/** Several permissions may cover a range together. */
export function permits(state: AuthState, user: User, access: Access, { start, end }: KeyRange): boolean {
  if (isRoot(user)) return true;
  const ranges = user.roles
    .flatMap((name) => state.roles[name]?.permissions ?? [])
    .filter(({ type }) => type === 'readwrite' || type === access)
    .map(rangeOfPermission)
    .sort((a, b) => (a.start < b.start ? -1 : 1));
  let covered = start;
  for (const range of ranges) {
    if (range.start > covered) break;
    if (range.end > covered) covered = range.end;
  }
  return covered >= end;
}

function rangeOfPermission({ key, rangeEnd }: Permission): KeyRange {
  if (rangeEnd === '') return { start: key, end: `${key}\0` };
  return { start: key === '\0' ? '' : key, end: rangeEnd === '\0' ? endOfKeys : rangeEnd };
}
