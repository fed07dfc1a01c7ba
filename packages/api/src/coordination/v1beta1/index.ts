export * from './lease.ts';
export * from './lease-candidate.ts';
