export * from './cron-job.ts';
