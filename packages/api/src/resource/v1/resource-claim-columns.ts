import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import type { MetaObject } from '../../meta/kind-object.ts';

type ClaimObject = MetaObject & { status: { allocation?: unknown; reservedFor?: unknown[] } };

export const claimColumns: readonly Column<ClaimObject>[] = [nameColumn, column('State', stateOf), ageColumn];

function stateOf({ metadata, status }: ClaimObject): string {
  const deleted = metadata.deletionTimestamp != null;
  const states: string[] = deleted ? ['deleted'] : [];
  if (status?.allocation != null) {
    states.push('allocated');
    if ((status.reservedFor ?? []).length > 0) states.push('reserved');
  } else if (!deleted) states.push('pending');
  return states.join(',');
}
