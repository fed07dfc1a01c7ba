export * from './horizontal-pod-autoscaler.ts';
