export * from './horizontal-pod-autoscaler.ts';
export * from './horizontal-pod-autoscaler-status.ts';
export * from './horizontal-pod-autoscaler-spec.ts';
export * from './metric-status.ts';
export * from './metric-spec.ts';
