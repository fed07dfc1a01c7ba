/** What is told of requests, and where to. */
import { bool, duration, float32, int, section, string } from '@coxswain/cobra';

const batchFlags = <const P extends 'Log' | 'Webhook'>(
  plugin: P,
  defaults: { mode: string; size: number; waitMs: number; throttles: boolean; qps: number; burst: number },
) => {
  const flags = {
    Mode: string({
      default: defaults.mode,
      usage:
        'When a request goes on: batch, without waiting for its event to be kept; blocking, after that; blocking-strict, only if that succeeded.',
    }),
    BatchBufferSize: int({ default: 10_000, usage: 'Events that wait at most; in the mode batch.' }),
    BatchMaxSize: int({ default: defaults.size, usage: 'Events in a batch; in the mode batch.' }),
    BatchMaxWait: duration({
      default: defaults.waitMs,
      usage: 'How long an event waits for others; in the mode batch.',
    }),
    BatchThrottleEnable: bool({
      default: defaults.throttles,
      usage: 'Bound the number of batches a second; in the mode batch.',
    }),
    BatchThrottleQps: float32({ default: defaults.qps, usage: 'Batches a second; in the mode batch.' }),
    BatchThrottleBurst: int({
      default: defaults.burst,
      usage: 'Batches at once when none were sent for a while; in the mode batch.',
    }),
    TruncateEnabled: bool({ usage: 'Cut events that are too large.' }),
    TruncateMaxBatchSize: int({
      default: 10 * 1024 * 1024,
      usage: 'Bytes of a batch; a larger one is split.',
    }),
    TruncateMaxEventSize: int({
      default: 100 * 1024,
      usage: 'Bytes of an event; from a larger one request and answer are taken out.',
    }),
    Version: string({ default: 'audit.k8s.io/v1', usage: 'The version in which events are written.' }),
  };
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [`audit${plugin}${name}`, flag]),
  ) as unknown as { [K in keyof typeof flags as `audit${P}${K & string}`]: (typeof flags)[K] };
};

export const auditFlags = section('Auditing', {
  auditPolicyFile: string({ usage: 'The file that says what is told of which requests.' }),
  auditLogPath: string({ usage: 'The file that events are written to; - for standard output.' }),
  auditLogFormat: string({
    default: 'json',
    usage: 'How events are written: json, or legacy for plain text.',
  }),
  auditLogMaxage: int({ default: 366, usage: 'Days that full files are kept; 0 for ever.' }),
  auditLogMaxbackup: int({ default: 100, usage: 'Full files that are kept; 0 for all.' }),
  auditLogMaxsize: int({ default: 100, usage: 'Megabytes at which the file is full; 0 for no bound.' }),
  auditLogCompress: bool({ usage: 'Compress full files.' }),
  ...batchFlags('Log', { mode: 'blocking', size: 1, waitMs: 0, throttles: false, qps: 0, burst: 0 }),
  auditWebhookConfigFile: string({
    usage: 'A kubeconfig file that names the service that events are sent to.',
  }),
  auditWebhookInitialBackoff: duration({
    default: 10_000,
    usage: 'The pause after the service did not take events for the first time.',
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
