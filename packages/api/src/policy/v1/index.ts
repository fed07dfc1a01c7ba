export * from './eviction.ts';
export * from './pod-disruption-budget.ts';
