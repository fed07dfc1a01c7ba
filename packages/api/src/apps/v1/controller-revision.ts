import * as t from '@coxswain/schema';
import { revisionColumns } from '../controller-revision-columns.ts';
import { validateRevision } from '../controller-revision-validation.ts';

export const ControllerRevision = t.kind(
  'apps/v1.ControllerRevision',
  'apps/v1',
  { plural: 'controllerrevisions', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    data: t.optional(2, t.rawExtension),
    revision: t.always(3, t.int64, { required: true }),
  },
  {
    validate: validateRevision,
    columns: revisionColumns,
  },
);
export interface ControllerRevision extends t.Static<typeof ControllerRevision> {}
