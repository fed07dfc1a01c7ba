import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../meta/columns.ts';
import * as v1 from './v1/priority-class.ts';

export const PriorityClass = t.kindIn(
  'scheduling/v1beta1',
  v1.PriorityClass,
  {
    fields: {
      preemptionPolicy: t.pointer(5, t.named('v1.PreemptionPolicy', t.string), {
        default: 'PreemptLowerPriority',
      }),
    },
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
export interface PriorityClass extends t.Static<typeof PriorityClass> {}
