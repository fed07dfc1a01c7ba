/** An audit log of one JSON line per request (audit.k8s.io/v1, level Metadata). */
import { formatMicroTime } from '@coxswain/apimachinery/time.ts';
import type { AuditBackend, AuditEvent } from './audit-event.ts';
import type { UserInfo } from '../user.ts';

/** @param write takes a line with its line break; @param flushed resolves when all lines are kept */
export const lineAuditBackend = (
  write: (line: string) => void,
  flushed: () => Promise<void>,
): AuditBackend => ({
  record: (event) => write(`${JSON.stringify(lineOf(event))}\n`),
  flush: flushed,
});

const lineOf = (event: AuditEvent): object => ({
  kind: 'Event',
  apiVersion: 'audit.k8s.io/v1',
  level: 'Metadata',
  auditID: event.auditId,
  stage: 'ResponseComplete',
  requestURI: event.requestUri,
  verb: event.verb,
  user: userOf(event.user),
  ...(event.impersonatedUser === undefined
    ? undefined
    : { impersonatedUser: userOf(event.impersonatedUser) }),
  responseStatus: { metadata: {}, code: event.code },
  requestReceivedTimestamp: formatMicroTime(event.receivedAtMs),
  ...(Object.keys(event.annotations).length === 0 ? undefined : { annotations: event.annotations }),
});

const userOf = (user: UserInfo | undefined): object | undefined =>
  user && { username: user.name, uid: user.uid, groups: user.groups, extra: user.extra };
