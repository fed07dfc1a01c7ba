import type { RequestInfo } from '../request-info.ts';
import type { UserInfo } from '../user.ts';

/** What an audit event tells of its request, as far as that has come. Times are milliseconds on the server's clocks. */
export interface AuditedRequest {
  readonly incoming: {
    readonly path: string;
    readonly query: string;
    readonly peer: { readonly address: string };
  };
  readonly info: RequestInfo;
  readonly user: UserInfo;
  readonly auditId: string;
  /** On the wall clock; the others are on the monotonic one, and 0 before. */
  readonly receivedAtMs: number;
  readonly startedAtMs: number;
  readonly authenticatedAtMs: number;
  readonly answeredAtMs: number;
  header(name: string): string | undefined;
}
