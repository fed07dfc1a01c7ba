/** The status of an answer of which only its code is told; most are 200 or 201, and are the same value each time. */
import type { ResponseStatus } from './audit-event.ts';

const known = new Map<number, ResponseStatus>();

/** @param code of HTTP, three digits, so that what is kept is bounded */
export function statusOfCode(code: number): ResponseStatus {
  let status = known.get(code);
  if (status === undefined) known.set(code, (status = Object.freeze({ code })));
  return status;
}
