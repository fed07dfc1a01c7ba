/** The flags of auditing. */
import { bool, duration, float32, int, section, string, type FlagValues } from '@coxswain/cobra';

const batchFlags = <const P extends 'Log' | 'Webhook'>(
  plugin: P,
  defaults: { mode: string; size: number; waitMs: number; throttles: boolean; qps: number; burst: number },
) => {
  const flags = {
    Mode: string({
      default: defaults.mode,
      usage:
        'When requests continue: batch does not wait for their audit events, blocking waits until they are processed, blocking-strict also fails requests whose events cannot be recorded.',
    }),
    BatchBufferSize: int({
      default: 10_000,
      usage: 'The maximum number of buffered events. Only in batch mode.',
    }),
    BatchMaxSize: int({
      default: defaults.size,
      usage: 'The maximum number of events in a batch. Only in batch mode.',
    }),
    BatchMaxWait: duration({
      default: defaults.waitMs,
      usage: 'How long to wait before sending a batch that is not full. Only in batch mode.',
    }),
    BatchThrottleEnable: bool({
      default: defaults.throttles,
      usage: 'Limit the number of batches per second. Only in batch mode.',
    }),
    BatchThrottleQps: float32({
      default: defaults.qps,
      usage: 'The maximum average number of batches per second. Only in batch mode.',
    }),
    BatchThrottleBurst: int({
      default: defaults.burst,
      usage: 'The maximum burst of batches after a pause. Only in batch mode.',
    }),
    TruncateEnabled: bool({ usage: 'Truncate events that are too large.' }),
    TruncateMaxBatchSize: int({
      default: 10 * 1024 * 1024,
      usage: 'The maximum size of a batch in bytes. Larger batches are split.',
    }),
    TruncateMaxEventSize: int({
      default: 100 * 1024,
      usage:
        'The maximum size of an event in bytes. The request and response are removed from larger events.',
    }),
    Version: string({ default: 'audit.k8s.io/v1', usage: 'The API version in which events are written.' }),
  };
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [`audit${plugin}${name}`, flag]),
  ) as unknown as { [K in keyof typeof flags as `audit${P}${K & string}`]: (typeof flags)[K] };
};

export const auditFlags = section('Auditing', {
  auditPolicyFile: string({ usage: 'The audit policy file.' }),
  auditLogPath: string({ usage: 'The file to write audit events to, or - for standard output.' }),
  auditLogFormat: string({
    default: 'json',
    usage: 'The format of audit events: json, or legacy for plain text.',
  }),
  auditLogMaxage: int({
    default: 366,
    usage: 'The maximum number of days to keep rotated files. 0 means no limit.',
  }),
  auditLogMaxbackup: int({
    default: 100,
    usage: 'The maximum number of rotated files to keep. 0 means no limit.',
  }),
  auditLogMaxsize: int({
    default: 100,
    usage: 'The size in megabytes at which the file is rotated. 0 means no limit.',
  }),
  auditLogCompress: bool({ usage: 'Compress rotated files.' }),
  ...batchFlags('Log', { mode: 'blocking', size: 1, waitMs: 0, throttles: false, qps: 0, burst: 0 }),
  auditWebhookConfigFile: string({
    usage: 'A kubeconfig file with the address of the audit webhook.',
  }),
  auditWebhookInitialBackoff: duration({
    default: 10_000,
    usage: 'How long to wait before the first retry of a failed request.',
  }),
  ...batchFlags('Webhook', {
    mode: 'batch',
    size: 400,
    waitMs: 30_000,
    throttles: true,
    qps: 10,
    burst: 15,
  }),
});

export type AuditFlags = FlagValues<typeof auditFlags>;
