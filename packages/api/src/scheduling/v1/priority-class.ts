import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validatePriorityClass } from '../priority-class-validation.ts';

export const PriorityClass = t.kind(
  'scheduling/v1.PriorityClass',
  'scheduling.k8s.io/v1',
  { plural: 'priorityclasses', shortNames: ['pc'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    value: t.always(2, t.int32),
    globalDefault: t.optional(3, t.bool),
    description: t.optional(4, t.string),
    preemptionPolicy: t.pointer(
      5,
      t.named('v1.PreemptionPolicy', t.oneOf(['PreemptLowerPriority', 'Never'])),
      {
        default: 'PreemptLowerPriority',
      },
    ),
  },
  {
    validate: validatePriorityClass,
    columns: [
      nameColumn,
      column('Value', ({ value }) => value ?? 0, 'integer'),
      column('Global-Default', ({ globalDefault }) => globalDefault ?? false, 'boolean'),
      ageColumn,
      column('PreemptionPolicy', ({ preemptionPolicy }) => preemptionPolicy ?? ''),
    ],
  },
);
export interface PriorityClass extends t.Static<typeof PriorityClass> {}
