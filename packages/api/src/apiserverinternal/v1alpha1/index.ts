export * from './storage-version.ts';
export * from './storage-version-status.ts';
