export * from './storage-version-migration.ts';
export * from './storage-version-migration-status.ts';
export * from './storage-version-migration-spec.ts';
