export * from './controller-revision.ts';
export * from './deployment.ts';
export * from './deployment-rollback.ts';
export * from './rollback-config.ts';
export * from './scale.ts';
export * from './stateful-set.ts';
