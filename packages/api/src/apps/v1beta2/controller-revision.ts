import { always, int64, kind, ObjectMeta, optional, rawExtension } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { revisionColumns } from '../controller-revision-columns.ts';

export const ControllerRevision = kind(
  'apps/v1beta2.ControllerRevision',
  'apps/v1beta2',
  { plural: 'controllerrevisions', namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    data: optional(2, rawExtension),
    revision: always(3, int64),
  },
  {
    columns: revisionColumns,
  },
);
export interface ControllerRevision extends Static<typeof ControllerRevision> {}
