export * from './eviction.ts';
export * from './pod-disruption-budget-spec.ts';
export * from './pod-disruption-budget.ts';
