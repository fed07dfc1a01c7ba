/** The flags that both back ends have, each with its own prefix: batching, throttling and truncation. */
import type { AuditFlags } from './audit-flags.ts';

export const auditModes = ['batch', 'blocking', 'blocking-strict'] as const;
export type AuditMode = (typeof auditModes)[number];

/** The flags of one back end; those of an unused mode are ignored. */
export interface DeliveryFlags {
  readonly mode: string;
  readonly bufferSize: number;
  readonly batchSizeMax: number;
  readonly waitMsMax: number;
  readonly throttles: boolean;
  readonly qps: number;
  readonly burst: number;
  readonly truncates: boolean;
  readonly batchBytesMax: number;
  readonly eventBytesMax: number;
  readonly version: string;
}

export const logDelivery = (flags: AuditFlags): DeliveryFlags => ({
  mode: flags.auditLogMode,
  bufferSize: flags.auditLogBatchBufferSize,
  batchSizeMax: flags.auditLogBatchMaxSize,
  waitMsMax: flags.auditLogBatchMaxWait,
  throttles: flags.auditLogBatchThrottleEnable,
  qps: flags.auditLogBatchThrottleQps,
  burst: flags.auditLogBatchThrottleBurst,
  truncates: flags.auditLogTruncateEnabled,
  batchBytesMax: flags.auditLogTruncateMaxBatchSize,
  eventBytesMax: flags.auditLogTruncateMaxEventSize,
  version: flags.auditLogVersion,
});

export const webhookDelivery = (flags: AuditFlags): DeliveryFlags => ({
  mode: flags.auditWebhookMode,
  bufferSize: flags.auditWebhookBatchBufferSize,
  batchSizeMax: flags.auditWebhookBatchMaxSize,
  waitMsMax: flags.auditWebhookBatchMaxWait,
  throttles: flags.auditWebhookBatchThrottleEnable,
  qps: flags.auditWebhookBatchThrottleQps,
  burst: flags.auditWebhookBatchThrottleBurst,
  truncates: flags.auditWebhookTruncateEnabled,
  batchBytesMax: flags.auditWebhookTruncateMaxBatchSize,
  eventBytesMax: flags.auditWebhookTruncateMaxEventSize,
  version: flags.auditWebhookVersion,
});
