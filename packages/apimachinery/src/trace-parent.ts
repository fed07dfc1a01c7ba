/** The header `traceparent` of W3C Trace Context: version, trace, the sender's span, whether it is sampled. */

import type { Random } from './clock.ts';

export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const noTrace = '0'.repeat(32);
const noSpan = '0'.repeat(16);

/** Undefined for an absent or invalid header, as the standard requires. */
export function parseTraceParent(header: string | undefined): TraceParent | undefined {
  const match = header === undefined ? null : form.exec(header);
  if (match === null) return undefined;
  const [, version = '', traceId = '', spanId = '', flags = '', more] = match;
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (traceId === noTrace || spanId === noSpan) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Random bytes in hexadecimal, the form of trace and span ids. */
export function randomHex(random: Random, bytes: number): string {
  let text = '';
  for (let at = 0; at < bytes; at++) {
    text += Math.floor(random.next() * 256)
      .toString(16)
      .padStart(2, '0');
  }
  return text;
}
