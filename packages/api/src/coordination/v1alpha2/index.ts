export * from './lease-candidate.ts';
