/** One request's line in the audit log (audit.k8s.io/v1 Event), filled in as the request goes on. */
import type { UserInfo } from '../user.ts';

export interface AuditEvent {
  readonly auditId: string;
  readonly requestUri: string;
  readonly verb: string;
  readonly receivedAtMs: number;
  user: UserInfo | undefined;
  impersonatedUser: UserInfo | undefined;
  code: number;
  readonly annotations: Record<string, string>;
}

/** Where audit events go. `flush` is called last when the server stops. */
export interface AuditBackend {
  record(event: AuditEvent): void;
  flush(): Promise<void>;
}
