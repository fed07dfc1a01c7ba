export * from './event.ts';
