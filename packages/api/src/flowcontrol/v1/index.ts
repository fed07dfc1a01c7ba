export * from './flow-distinguisher-method.ts';
export * from './flow-schema.ts';
export * from './priority-level-configuration.ts';
