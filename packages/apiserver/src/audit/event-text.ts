/** Writes an event as one line of text: the format `legacy`, also used to log events that could not be written. */
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import type { AuditEvent } from './audit-event.ts';

export function eventText(event: AuditEvent): string {
  const { user, impersonatedUser, objectRef, responseStatus } = event;
  const username = user?.name || '<none>';
  const groups = user?.name && user.groups.length > 0 ? listText(user.groups) : '<none>';
  const as = impersonatedUser === undefined ? '<self>' : impersonatedUser.name;
  const asGroups = impersonatedUser === undefined ? '<lookup>' : listText(impersonatedUser.groups);
  const response = responseStatus === undefined ? '<deferred>' : String(responseStatus.code ?? 0);
  const members = [
    ['id', event.auditId],
    ['stage', event.stage],
    ['ip', event.sourceIps[0] ?? '<unknown>'],
    ['method', event.verb],
    ['user', username],
    ['groups', groups],
    ['as', as],
    ['asgroups', asGroups],
    ['user-agent', event.userAgent],
    ['namespace', objectRef?.namespace || '<none>'],
    ['uri', event.requestUri],
  ] as const;
  const text = members.map(([name, value]) => `${name}=${goQuote(value)}`).join(' ');
  return `${nanoTime(event.receivedAtMs)} AUDIT: ${text} response="${response}"`;
}

const listText = (groups: readonly string[]): string => groups.map(goQuote).join(',');

/** RFC 3339 with as many decimals as necessary. */
const nanoTime = (ms: number): string => new Date(ms).toISOString().replace(/\.?0+Z$/, 'Z');
