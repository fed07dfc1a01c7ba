import * as t from '@coxswain/schema';
import { revisionColumns } from '../controller-revision-columns.ts';

export const ControllerRevision = t.kind(
  'apps/v1beta2.ControllerRevision',
  'apps/v1beta2',
  { plural: 'controllerrevisions', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    data: t.optional(2, t.rawExtension),
    revision: t.always(3, t.int64),
  },
  {
    columns: revisionColumns,
  },
);
export interface ControllerRevision extends t.Static<typeof ControllerRevision> {}
