import type { RequestInfo } from '../request-info.ts';
import type { UserInfo } from '../user.ts';

/**
 * The parts of a request that an audit event reports, as far as they are known. Times are milliseconds on the server's
 * clocks.
 */
export interface AuditedRequest {
  readonly incoming: {
    readonly path: string;
    readonly query: string;
    readonly peer: { readonly address: string };
  };
  readonly info: RequestInfo;
  readonly user: UserInfo;
  readonly auditId: string;
  /** On the wall clock; the other times are on the monotonic clock, and 0 until they are known. */
  readonly receivedAtMs: number;
  readonly startedAtMs: number;
  readonly authenticatedAtMs: number;
  readonly answeredAtMs: number;
  header(name: string): string | undefined;
}
