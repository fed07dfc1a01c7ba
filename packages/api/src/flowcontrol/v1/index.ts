export * from './flow-distinguisher-method.ts';
export * from './flow-schema.ts';
export * from './priority-level-configuration.ts';
export * from './flow-schema-spec.ts';
export * from './priority-level-configuration-spec.ts';
