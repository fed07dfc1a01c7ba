export * from './audit-sink.ts';
