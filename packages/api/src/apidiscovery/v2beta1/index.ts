export * from './api-group-discovery.ts';
