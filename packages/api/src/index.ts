export * from './group-versions.ts';
