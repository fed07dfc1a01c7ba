import * as t from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import { roundUpToMilli } from './resource-list.ts';
import { validateQuota, validateQuotaStatus } from './quota/resource-quota-validation.ts';
import { ResourceQuotaSpec } from './resource-quota-spec.ts';
import { ResourceQuotaStatus } from './resource-quota-status.ts';

export const ResourceQuota = t.kind(
  'core/v1.ResourceQuota',
  'v1',
  { plural: 'resourcequotas', shortNames: ['quota'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, ResourceQuotaSpec),
    status: t.optional(3, ResourceQuotaStatus),
  },
  {
    defaults: [defaultQuota],
    validate: validateQuota,
    validateStatus: validateQuotaStatus,
    columns: [
      nameColumn,
      column('Request', ({ status }) => usage(status, (name) => !isLimit(name))),
      column('Limit', ({ status }) => usage(status, isLimit)),
      ageColumn,
    ],
  },
);
export interface ResourceQuota extends t.Static<typeof ResourceQuota> {}

function defaultQuota({ spec, status }: { spec: ResourceQuotaSpec; status: ResourceQuotaStatus }): void {
  roundUpToMilli(spec.hard);
  roundUpToMilli(status?.hard);
  roundUpToMilli(status?.used);
}

const isLimit = (name: string): boolean => name.startsWith('limits.');

const usage = (status: ResourceQuotaStatus | undefined, wanted: (name: string) => boolean): string =>
  Object.keys(status?.hard ?? {})
    .filter(wanted)
    .sort()
    .map((name) => `${name}: ${status!.used?.[name] ?? '0'}/${status!.hard![name]}`)
    .join(', ');
