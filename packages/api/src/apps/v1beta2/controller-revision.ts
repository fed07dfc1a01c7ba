import * as t from '@coxswain/schema';
import { revisionColumns } from '../controller-revision-columns.ts';
import * as v1 from '../v1/controller-revision.ts';

export const ControllerRevision = t.kindIn(
  'apps/v1beta2',
  v1.ControllerRevision,
  { fields: { revision: t.always(3, t.int64) } },
  { columns: revisionColumns },
);
export interface ControllerRevision extends t.Static<typeof ControllerRevision> {}
