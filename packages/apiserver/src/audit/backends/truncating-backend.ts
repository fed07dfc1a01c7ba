/** Removes request and response bodies from events that are too large, and splits batches that are. */
import { copyOfEvent, type AuditBackend, type AuditEvent } from '../audit-event.ts';
import type { LostEvents } from '../audit-metrics.ts';
import { eventLine } from '../event-json.ts';

export interface TruncateLimits {
  readonly eventBytesMax: number;
  readonly batchBytesMax: number;
}

const truncated = { 'audit.k8s.io/truncated': 'true' };

export const truncatingBackend = (
  backend: AuditBackend,
  limits: TruncateLimits,
  lost: LostEvents,
): AuditBackend => ({
  name: `truncate<${backend.name}>`,
  process(events) {
    const tooLarge: AuditEvent[] = [];
    const batches = batchesOf(events, limits, tooLarge);
    const kept = batches.map((batch) => backend.process(batch));
    if (tooLarge.length > 0) lost('truncate', 'event is too large even after truncating', tooLarge);
    return kept.some((one) => one instanceof Promise)
      ? Promise.all(kept).then((all) => all.every(Boolean))
      : kept.every(Boolean);
  },
  flush: () => backend.flush(),
});

function batchesOf(
  events: readonly AuditEvent[],
  { eventBytesMax, batchBytesMax }: TruncateLimits,
  tooLarge: AuditEvent[],
): AuditEvent[][] {
  const batches: AuditEvent[][] = [];
  let bytesInBatch = 0;
  for (const whole of events) {
    const { event, bytes } = fitting(whole, eventBytesMax);
    if (bytes > eventBytesMax) {
      tooLarge.push(event);
      continue;
    }
    if (batches.length === 0 || bytesInBatch + bytes > batchBytesMax) {
      batches.push([]);
      bytesInBatch = 0;
    }
    bytesInBatch += bytes;
    batches.at(-1)!.push(event);
  }
  return batches;
}

function fitting(event: AuditEvent, bytesMax: number): { event: AuditEvent; bytes: number } {
  const bytes = bytesOf(event);
  const hasBodies = event.level === 'Request' || event.level === 'RequestResponse';
  if (bytes <= bytesMax || !hasBodies) return { event, bytes };
  const smaller = { ...withoutBodies(event), annotations: { ...event.annotations, ...truncated } };
  return { event: smaller, bytes: bytesOf(smaller) };
}

/** Members are named one by one: a live event's are getters of its class, which a spread would miss. */
const withoutBodies = (event: AuditEvent): AuditEvent => ({
  ...copyOfEvent(event),
  requestObject: undefined,
  responseObject: undefined,
});

const encoder = new TextEncoder();

const bytesOf = (event: AuditEvent): number => encoder.encode(eventLine(event)).length;
