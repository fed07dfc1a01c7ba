export * from './daemon-set.ts';
export * from './deployment.ts';
export * from './deployment-rollback.ts';
export * from './ingress.ts';
export * from './network-policy.ts';
export * from './replica-set.ts';
export * from './rollback-config.ts';
export * from './scale.ts';
