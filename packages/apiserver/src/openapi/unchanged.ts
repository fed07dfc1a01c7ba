/** Conditional requests (RFC 9110, section 13): whether the client's copy of a document is current. */
import type { ApiRequest } from '../http/api-request.ts';

export interface Validators {
  /** Including its quotes; absent if the document has none. */
  readonly tag?: string;
  readonly madeAtMs: number;
}

/** The ETag decides if the client sends one, otherwise the time. */
export function isUnchanged(request: ApiRequest, { tag, madeAtMs }: Validators): boolean {
  const tags = request.header('if-none-match');
  if (tags !== undefined && tags !== '') {
    const known = tags.split(',').map((one) => one.trim().replace(/^W\//, ''));
    return known.includes('*') || (tag !== undefined && known.includes(tag));
  }
  const sinceMs = Date.parse(request.header('if-modified-since') ?? '');
  // HTTP dates have whole seconds.
  return !Number.isNaN(sinceMs) && Math.floor(madeAtMs / 1000) * 1000 <= sinceMs;
}
