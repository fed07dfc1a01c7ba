import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../../meta/columns.ts';
import type { MetaObject } from '../../../meta/kind-object.ts';

type QuotaObject = MetaObject & { status: { hard?: Record<string, string>; used?: Record<string, string> } };

export const quotaColumns: readonly Column<QuotaObject>[] = [
  nameColumn,
  column('Request', (quota) => usage(quota, (name) => !isLimit(name))),
  column('Limit', (quota) => usage(quota, isLimit)),
  ageColumn,
];

const isLimit = (name: string): boolean => name.startsWith('limits.');

const usage = ({ status }: QuotaObject, wanted: (name: string) => boolean): string =>
  Object.keys(status?.hard ?? {})
    .filter(wanted)
    .sort()
    .map((name) => `${name}: ${status.used?.[name] ?? '0'}/${status.hard![name]}`)
    .join(', ');
