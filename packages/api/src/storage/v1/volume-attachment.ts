import * as t from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import { VolumeAttachmentSpec, VolumeAttachmentStatus } from './volume-attachment-spec.ts';
import { validateAttachment } from '../volume-attachment-validation.ts';

export const VolumeAttachment = t.kind(
  'storage/v1.VolumeAttachment',
  'storage.k8s.io/v1',
  { plural: 'volumeattachments', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, VolumeAttachmentSpec, { required: true }),
    status: t.optional(3, VolumeAttachmentStatus),
  },
  {
    validate: validateAttachment,
    validateStatus: validateAttachment,
    columns: [
      nameColumn,
      { name: 'Attacher', type: 'string', format: 'name', cell: ({ spec }) => spec.attacher },
      column('PV', ({ spec }) => spec.source?.persistentVolumeName ?? ''),
      column('Node', ({ spec }) => spec.nodeName),
      column('Attached', ({ status }) => status?.attached ?? false, 'boolean'),
      ageColumn,
    ],
  },
);
export interface VolumeAttachment extends t.Static<typeof VolumeAttachment> {}
