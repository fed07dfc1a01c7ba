export * from './storage-version-migration.ts';
