export * from './pod-preset.ts';
