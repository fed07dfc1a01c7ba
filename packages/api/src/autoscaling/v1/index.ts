export * from './cross-version-object-reference.ts';
export * from './horizontal-pod-autoscaler.ts';
export * from './metric-spec.ts';
export * from './metric-status.ts';
export * from './scale.ts';
