export * from './clock.ts';
export * from './meta.ts';
export * from './status.ts';
export * from './step.ts';
