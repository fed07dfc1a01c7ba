import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import type { StatusObject } from '../../meta/kind-object.ts';

type AttachmentObject = StatusObject<
  { attacher: string; nodeName: string; source: { persistentVolumeName?: string } },
  { attached: boolean }
>;

export const attachmentColumns: readonly Column<AttachmentObject>[] = [
  nameColumn,
  { name: 'Attacher', type: 'string', format: 'name', cell: ({ spec }) => spec.attacher },
  column('PV', ({ spec }) => spec.source?.persistentVolumeName ?? ''),
  column('Node', ({ spec }) => spec.nodeName),
  column('Attached', ({ status }) => status?.attached ?? false, 'boolean'),
  ageColumn,
];
