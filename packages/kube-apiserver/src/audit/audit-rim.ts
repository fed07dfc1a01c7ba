/** The I/O that auditing takes from its process, and the creation of back ends from it. */
import type { Clock } from '@coxswain/apimachinery';
import type { BackendParts } from '@coxswain/apiserver/audit/audit-setup.ts';
import type { AuditBackend } from '@coxswain/apiserver/audit/audit-event.ts';
import type { WebhookConnector } from '../webhook-connection.ts';

export interface AuditRim {
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** Writes to standard output. */
  readonly print: (lines: string) => void;
  readonly connect: WebhookConnector;
}

export type BackendMaker = (parts: BackendParts) => AuditBackend;
