/**
 * An event as the original writes it: members in its order, empty ones left out, `<`, `>` and `&` escaped.
 *
 * Two of these are written for every request, so the text is put together by hand, and what repeats from
 * request to request (a user) is kept.
 */
import { formatMicroTime } from '@coxswain/apimachinery/time.ts';
import type { UserInfo } from '../user.ts';
import type { AuditEvent, ObjectReference, ResponseStatus } from './audit-event.ts';

/** With its kind and version, for a line of its own. */
export const eventLine = (event: AuditEvent): string =>
  `{"kind":"Event","apiVersion":"audit.k8s.io/v1",${membersOf(event)}}\n`;

/** Several events in one object; each is what it is by being in it. */
export const eventList = (events: readonly AuditEvent[]): string =>
  `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[${events
    .map((event) => `{${membersOf(event)}}`)
    .join(',')}]}\n`;

function membersOf(event: AuditEvent): string {
  const { responseStatus } = event;
  let text =
    `"level":"${event.level}","auditID":${quoted(event.auditId)},"stage":"${event.stage}",` +
    (event.aboutText ??= aboutText(event));
  if (responseStatus !== undefined) text += `,"responseStatus":${statusText(responseStatus)}`;
  if (event.requestObject !== undefined) text += `,"requestObject":${escaped(event.requestObject)}`;
  if (event.responseObject !== undefined) text += `,"responseObject":${escaped(event.responseObject)}`;
  text += `,"requestReceivedTimestamp":"${timeText(event.receivedAtMs)}","stageTimestamp":"${timeText(event.stageAtMs)}"`;
  return event.annotations === undefined ? text : text + annotationsText(event.annotations);
}

/** Who asks for what: the same at every stage of most requests. */
function aboutText(event: AuditEvent): string {
  const { impersonatedUser, impersonationConstraint, objectRef } = event;
  let text = `"requestURI":${quoted(event.requestUri)},"verb":${quoted(event.verb)},"user":${userText(event.user)}`;
  if (impersonatedUser !== undefined) text += `,"impersonatedUser":${userText(impersonatedUser)}`;
  if (impersonationConstraint !== '') {
    text += `,"authenticationMetadata":{"impersonationConstraint":${quoted(impersonationConstraint)}}`;
  }
  if (event.sourceIps.length > 0) text += `,"sourceIPs":["${event.sourceIps.join('","')}"]`;
  if (event.userAgent !== '') text += `,"userAgent":${quoted(event.userAgent)}`;
  if (objectRef !== undefined) text += `,"objectRef":${referenceText(objectRef)}`;
  return text;
}

const userTexts = new WeakMap<UserInfo, string>();

function userText(user: UserInfo | undefined): string {
  if (user === undefined) return '{}';
  let text = userTexts.get(user);
  if (text === undefined) userTexts.set(user, (text = madeUserText(user)));
  return text;
}

function madeUserText({ name, uid, groups, extra = {} }: UserInfo): string {
  const keys = Object.keys(extra).sort();
  return escaped(
    JSON.stringify({
      ...(name === '' ? undefined : { username: name }),
      ...(uid ? { uid } : undefined),
      ...(groups.length === 0 ? undefined : { groups }),
      ...(keys.length === 0
        ? undefined
        : { extra: Object.fromEntries(keys.map((key) => [key, extra[key]])) }),
    }),
  );
}

const referenceMembers = [
  'resource',
  'namespace',
  'name',
  'uid',
  'apiGroup',
  'apiVersion',
  'resourceVersion',
  'subresource',
] as const satisfies readonly (keyof ObjectReference)[];

function referenceText(reference: ObjectReference): string {
  let text = '';
  for (const member of referenceMembers) {
    const value = reference[member];
    if (value !== '') text += `${text === '' ? '{' : ','}"${member}":${quoted(value)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

function statusText({ status, message, reason, details, code }: ResponseStatus): string {
  let text = '{"metadata":{}';
  if (status) text += `,"status":${quoted(status)}`;
  if (message) text += `,"message":${quoted(message)}`;
  if (reason) text += `,"reason":${quoted(reason)}`;
  if (details !== undefined) text += `,"details":${escaped(JSON.stringify(details))}`;
  if (code) text += `,"code":${code}`;
  return `${text}}`;
}

const decision = 'authorization.k8s.io/decision';
const reason = 'authorization.k8s.io/reason';
const allowedText = `,"annotations":{"${decision}":"allow","${reason}":""}`;

/** Most requests have the annotations of authorization, with one of two decisions and no reason. */
function annotationsText(annotations: Readonly<Record<string, string>>): string {
  const keys = Object.keys(annotations);
  if (keys.length === 0) return '';
  if (keys.length === 2 && annotations[reason] === '') {
    if (annotations[decision] === 'allow') return allowedText;
  }
  if (keys.length > 1) keys.sort();
  let text = ',"annotations":{';
  for (let at = 0; at < keys.length; at++) {
    text += `${at === 0 ? '' : ','}${quoted(keys[at]!)}:${quoted(annotations[keys[at]!]!)}`;
  }
  return `${text}}`;
}

/** Many events fall into one millisecond. */
let latestTime = { ms: Number.NaN, text: '' };

function timeText(ms: number): string {
  if (ms !== latestTime.ms) latestTime = { ms, text: formatMicroTime(ms) };
  return latestTime.text;
}

// eslint-disable-next-line no-control-regex
const special = /["\\\u0000-\u001f<>&\u2028\u2029\ud800-\udfff]/;

const quoted = (text: string): string => (special.test(text) ? escaped(JSON.stringify(text)) : `"${text}"`);

const forHtml = /[<>&\u2028\u2029]/g;

/** Go's encoder writes JSON that may stand in a page. */
const escaped = (json: string): string =>
  json.search(forHtml) < 0
    ? json
    : json.replace(forHtml, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
