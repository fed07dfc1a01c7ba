import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import type { MetaObject } from '../../meta/kind-object.ts';

type LevelObject = MetaObject & {
  spec: {
    type: string;
    limited?: {
      nominalConcurrencyShares?: number | null;
      assuredConcurrencyShares?: number;
      limitResponse?: { queuing?: { queues: number; handSize: number; queueLengthLimit: number } };
    };
  };
};

const queuing = ({ spec }: LevelObject) => spec.limited?.limitResponse?.queuing;

export const priorityLevelColumns: readonly Column<LevelObject>[] = [
  nameColumn,
  column('Type', ({ spec }) => spec.type),
  column('NominalConcurrencyShares', ({ spec: { limited } }) =>
    limited == null ? '<none>' : (limited.nominalConcurrencyShares ?? limited.assuredConcurrencyShares ?? 0),
  ),
  column('Queues', (level) => queuing(level)?.queues ?? '<none>'),
  column('HandSize', (level) => queuing(level)?.handSize ?? '<none>'),
  column('QueueLengthLimit', (level) => queuing(level)?.queueLengthLimit ?? '<none>'),
  ageColumn,
];
