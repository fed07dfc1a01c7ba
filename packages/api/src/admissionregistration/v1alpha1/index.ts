export * from './match-resources.ts';
export * from './mutating-admission-policy.ts';
export * from './mutating-admission-policy-binding.ts';
export * from './param-ref.ts';
export * from './validating-admission-policy.ts';
export * from './validating-admission-policy-binding.ts';
export * from './variable.ts';
