import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import { humanDuration } from '@coxswain/apimachinery/human-duration.ts';
import type { StatusObject } from '../../meta/kind-object.ts';

type RequestObject = StatusObject<
  { signerName?: string; username?: string; expirationSeconds?: number },
  { conditions?: { type: string }[]; certificate?: string }
>;

export const requestColumns: readonly Column<RequestObject>[] = [
  nameColumn,
  ageColumn,
  column('SignerName', ({ spec }) => spec.signerName || '<none>'),
  column('Requestor', ({ spec }) => spec.username ?? ''),
  column('RequestedDuration', ({ spec }) =>
    spec.expirationSeconds == null ? '<none>' : humanDuration(spec.expirationSeconds * 1000),
  ),
  column('Condition', ({ status }) => {
    const has = (wanted: string): boolean => (status?.conditions ?? []).some(({ type }) => type === wanted);
    const words = [has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending'];
    if (has('Failed')) words.push('Failed');
    if (status?.certificate) words.push('Issued');
    return words.join(',');
  }),
];
