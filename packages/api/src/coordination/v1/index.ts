export * from './lease-spec.ts';
export * from './lease.ts';
