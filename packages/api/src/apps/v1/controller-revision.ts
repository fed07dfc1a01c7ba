import { always, int64, kind, ObjectMeta, optional, rawExtension } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { revisionColumns } from '../controller-revision-columns.ts';
import { validateRevision } from '../controller-revision-validation.ts';

export const ControllerRevision = kind(
  'apps/v1.ControllerRevision',
  'apps/v1',
  { plural: 'controllerrevisions', namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    data: optional(2, rawExtension),
    revision: always(3, int64, { required: true }),
  },
  {
    validate: validateRevision,
    columns: revisionColumns,
  },
);
export interface ControllerRevision extends Static<typeof ControllerRevision> {}
