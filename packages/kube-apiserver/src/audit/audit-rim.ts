/** What auditing takes from the process in which it runs, and what makes a back end of it. */
import type { Clock } from '@coxswain/apimachinery';
import type { BackendParts } from '@coxswain/apiserver/audit/audit-setup.ts';
import type { AuditBackend } from '@coxswain/apiserver/audit/audit-event.ts';
import type { WebhookConnector } from '../webhook-connection.ts';

export interface AuditRim {
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** Standard output. */
  readonly print: (lines: string) => void;
  readonly connect: WebhookConnector;
}

export type BackendMaker = (parts: BackendParts) => AuditBackend;
