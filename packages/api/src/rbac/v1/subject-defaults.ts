import type { Subject } from './subject.ts';

/** Users and groups default to this API group, service accounts to the core group. */
export function defaultSubjects({ subjects }: { subjects?: Subject[] }): void {
  for (const subject of subjects ?? []) {
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= rbacGroup;
  }
}

const rbacGroup = 'rbac.authorization.k8s.io';
