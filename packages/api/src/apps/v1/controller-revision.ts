import { formatGroupKind, parseApiVersion } from '@coxswain/apimachinery';
import * as t from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
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
    columns: [
      nameColumn,
      column('Controller', ({ metadata }) => {
        const owner = (metadata.ownerReferences ?? []).find(({ controller }) => controller);
        if (owner === undefined) return '<none>';
        const { group } = parseApiVersion(owner.apiVersion);
        return `${formatGroupKind({ group, kind: owner.kind }).toLowerCase()}/${owner.name}`;
      }),
      column('Revision', ({ revision }) => revision),
      ageColumn,
    ],
  },
);
export interface ControllerRevision extends t.Static<typeof ControllerRevision> {}
