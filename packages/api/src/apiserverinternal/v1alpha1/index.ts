export * from './storage-version.ts';
