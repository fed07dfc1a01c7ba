export * from './device-taint-rule.ts';
export * from './pool-status.ts';
export * from './resource-pool-status-request.ts';
export * from './resource-pool-status-request-spec.ts';
