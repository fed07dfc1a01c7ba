export * from './pod-group.ts';
export * from './pod-group-resource-claim.ts';
export * from './pod-group-scheduling-constraints.ts';
export * from './pod-group-scheduling-policy.ts';
export * from './workload.ts';
