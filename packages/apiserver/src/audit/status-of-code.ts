/** The status of a response for which only the code is reported; values are shared, since most are 200 or 201. */
import type { ResponseStatus } from './audit-event.ts';

const known = new Map<number, ResponseStatus>();

/** @param code an HTTP status code of three digits, which bounds the cache */
export function statusOfCode(code: number): ResponseStatus {
  let status = known.get(code);
  if (status === undefined) known.set(code, (status = Object.freeze({ code })));
  return status;
}
