/** Subjects of rbac v1alpha1 had an apiVersion in place of the current apiGroup. */
import type { Subject } from '@coxswain/api/rbac/v1/subject.ts';
import type { Subject as OldSubject } from '@coxswain/api/rbac/v1alpha1.ts';
import type { Conversion } from '@coxswain/apiserver';
import type { Kind } from '@coxswain/schema';
import { changing } from '../conversion.ts';
import { defined } from '../defined.ts';

const group = 'rbac.authorization.k8s.io';

export const subjectsConversion = (storage: Kind, other: Kind): Conversion =>
  changing(storage, other, {
    toStorage(binding) {
      const subjects = binding.subjects as readonly OldSubject[] | undefined;
      if (subjects != null) binding.subjects = subjects.map(subjectToV1);
    },
    fromStorage(binding) {
      const subjects = binding.subjects as readonly Subject[] | undefined;
      if (subjects != null) binding.subjects = subjects.map(subjectFromV1);
    },
  });

function subjectToV1({ apiVersion, ...subject }: OldSubject): Subject {
  const { kind, name } = subject;
  if (kind === 'ServiceAccount') return subject;
  // The user `*` stood for all authenticated users.
  if (kind === 'User' && name === '*') {
    return { ...subject, kind: 'Group', apiGroup: group, name: 'system:authenticated' };
  }
  const apiGroup = kind === 'User' || kind === 'Group' ? group : groupOf(apiVersion);
  return defined({ ...subject, apiGroup: apiGroup || undefined }) as Subject;
}

const groupOf = (apiVersion = ''): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

function subjectFromV1({ apiGroup = '', ...subject }: Subject): OldSubject {
  const { kind } = subject;
  if (kind === 'ServiceAccount' && apiGroup === '') return { ...subject, apiVersion: 'v1' };
  const isRbac = (kind === 'User' || kind === 'Group') && apiGroup === group;
  const apiVersion = isRbac ? `${group}/v1alpha1` : apiGroup === '' ? '' : `${apiGroup}/`;
  return apiVersion === '' ? subject : { ...subject, apiVersion };
}
