/** Wraps a back end as its flags say: with truncation, then with blocking or batching. */
import type { AuditBackend } from '@coxswain/apiserver/audit/audit-event.ts';
import type { BackendParts } from '@coxswain/apiserver/audit/audit-setup.ts';
import { BufferedBackend } from '@coxswain/apiserver/audit/backends/buffered-backend.ts';
import { lenientBackend } from '@coxswain/apiserver/audit/backends/lenient-backend.ts';
import { truncatingBackend } from '@coxswain/apiserver/audit/backends/truncating-backend.ts';
import type { DeliveryFlags } from './delivery-flags.ts';

export function delivered(
  backend: AuditBackend,
  flags: DeliveryFlags,
  isConcurrent: boolean,
  { clock, lost }: BackendParts,
): AuditBackend {
  const { mode, truncates, eventBytesMax, batchBytesMax } = flags;
  const inMode =
    mode === 'blocking-strict'
      ? backend
      : mode === 'blocking'
        ? lenientBackend(backend)
        : new BufferedBackend(backend, batchSettings(flags, isConcurrent), clock, lost);
  return truncates ? truncatingBackend(inMode, { eventBytesMax, batchBytesMax }, lost) : inMode;
}

const batchSettings = (flags: DeliveryFlags, isConcurrent: boolean) => ({
  bufferSize: flags.bufferSize,
  batchSizeMax: flags.batchSizeMax,
  waitMsMax: flags.waitMsMax,
  throttle: flags.throttles ? { qps: flags.qps, burst: flags.burst } : undefined,
  isConcurrent,
});
