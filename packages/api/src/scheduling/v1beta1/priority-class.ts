import { always, bool, int32, kind, ObjectMeta, optional, pointer, string, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';

export const PriorityClass = kind(
  'scheduling/v1beta1.PriorityClass',
  'scheduling.k8s.io/v1beta1',
  { plural: 'priorityclasses', shortNames: ['pc'], namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    value: always(2, int32),
    globalDefault: optional(3, bool),
    description: optional(4, string),
    preemptionPolicy: pointer(5, named('v1.PreemptionPolicy', string), { default: 'PreemptLowerPriority' }),
  },
  {
    columns: [
      nameColumn,
      column('Value', ({ value }) => value ?? 0, 'integer'),
      column('Global-Default', ({ globalDefault }) => globalDefault ?? false, 'boolean'),
      ageColumn,
      column('PreemptionPolicy', ({ preemptionPolicy }) => preemptionPolicy ?? ''),
    ],
  },
);
export interface PriorityClass extends Static<typeof PriorityClass> {}
