export * from './cron-job-spec.ts';
export * from './cron-job.ts';
export * from './job.ts';
export * from './job-status.ts';
export * from './job-spec.ts';
