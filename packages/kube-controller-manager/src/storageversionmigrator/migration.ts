import { compareText } from '@coxswain/apimachinery/compare-text.ts';
import type { StorageVersionMigration as MigrationShape } from '@coxswain/api/storagemigration/v1beta1/storage-version-migration.ts';
import type { GroupVersionResource, KubeObject } from '@coxswain/apimachinery';

export type Migration = Omit<MigrationShape, 'metadata' | 'kind' | 'apiVersion'> & KubeObject;

export const migrations: GroupVersionResource = {
  group: 'storagemigration.k8s.io',
  version: 'v1beta1',
  resource: 'storageversionmigrations',
};

export type MigrationCondition = 'MigrationRunning' | 'MigrationSucceeded' | 'MigrationFailed';

export const hasCondition = ({ status }: Migration, type: MigrationCondition): boolean =>
  status?.conditions?.some((one) => one.type === type && one.status === 'True') ?? false;

export const hasEnded = (migration: Migration): boolean =>
  hasCondition(migration, 'MigrationSucceeded') || hasCondition(migration, 'MigrationFailed');

/** Conditions are set once; existing ones remain unchanged. `now` is RFC 3339. */
export function withCondition(
  migration: Migration,
  type: MigrationCondition,
  reason: string,
  message: string,
  now: string,
): Migration {
  const before = migration.status?.conditions ?? [];
  if (before.some((one) => one.type === type)) return migration;
  const condition = { type, status: 'True', lastTransitionTime: now, reason, message };
  return { ...migration, status: { ...migration.status, conditions: [...before, condition] } } as Migration;
}

/** Only one migration per resource runs at a time: returns which ones to end, and which is next. */
export function turnOf(all: readonly Migration[]): {
  readonly ended: readonly Migration[];
  readonly next: Migration | undefined;
} {
  const running = all.filter((one) => hasCondition(one, 'MigrationRunning'));
  const ended = running.filter(hasEnded);
  const isBusy = running.length > ended.length;
  const waiting = all.filter((one) => !hasCondition(one, 'MigrationRunning') && !hasEnded(one));
  return { ended, next: isBusy ? undefined : waiting.toSorted(byAge)[0] };
}

const byAge = (a: Migration, b: Migration): number => compareText(ageKey(a), ageKey(b));

const ageKey = ({ metadata }: Migration): string => `${metadata.creationTimestamp ?? ''} ${metadata.name}`;
