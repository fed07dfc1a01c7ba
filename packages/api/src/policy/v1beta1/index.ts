export * from './eviction.ts';
export * from './pod-disruption-budget.ts';
export * from './pod-security-policy.ts';
