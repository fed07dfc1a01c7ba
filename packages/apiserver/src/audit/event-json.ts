/**
 * An event as the original writes it: members in its order, empty ones left out, `<`, `>` and `&` escaped.
 *
 * Two of these are written for every request, so the text is put together by hand from few pieces, and what
 * repeats from request to request (who asks, what kind of thing, the time) is kept.
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
  const { objectRef, responseStatus, annotations } = event;
  event.idText ??= `"level":"${event.level}","auditID":${quoted(event.auditId)},"stage":"`;
  event.aboutText ??= `","requestURI":${quoted(event.requestUri)}${askerText(event)}`;
  let text = event.idText + event.stage + event.aboutText;
  if (objectRef !== undefined) text += referenceText(objectRef);
  if (responseStatus !== undefined) text += statusText(responseStatus);
  if (event.requestObject !== undefined) text += `,"requestObject":${escaped(event.requestObject)}`;
  if (event.responseObject !== undefined) text += `,"responseObject":${escaped(event.responseObject)}`;
  text += timesText(event.receivedAtMs, event.stageAtMs);
  return annotations === undefined ? text : text + annotationsText(annotations);
}

/** The latest of what repeats: who asks in the same way, for the same kind of things, within a millisecond. */
let latestAsker: Pick<AuditEvent, 'verb' | 'user' | 'sourceIps' | 'userAgent'> | undefined;
let latestAskerText = '';

/** With what, as whom, from where. */
function askerText(event: AuditEvent): string {
  if (event.impersonatedUser !== undefined || event.impersonationConstraint !== '') {
    return madeAskerText(event);
  }
  const { verb, user, sourceIps, userAgent } = event;
  if (
    latestAsker === undefined ||
    user !== latestAsker.user ||
    verb !== latestAsker.verb ||
    sourceIps !== latestAsker.sourceIps ||
    userAgent !== latestAsker.userAgent
  ) {
    latestAsker = { verb, user, sourceIps, userAgent };
    latestAskerText = flat(madeAskerText(event));
  }
  return latestAskerText;
}

function madeAskerText(event: AuditEvent): string {
  const { impersonatedUser, impersonationConstraint } = event;
  let text = `,"verb":${quoted(event.verb)},"user":${userText(event.user)}`;
  if (impersonatedUser !== undefined) text += `,"impersonatedUser":${userText(impersonatedUser)}`;
  if (impersonationConstraint !== '') {
    text += `,"authenticationMetadata":{"impersonationConstraint":${quoted(impersonationConstraint)}}`;
  }
  if (event.sourceIps.length > 0) text += `,"sourceIPs":["${event.sourceIps.join('","')}"]`;
  if (event.userAgent !== '') text += `,"userAgent":${quoted(event.userAgent)}`;
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

let latestReference: ObjectReference | undefined;
let latestReferenceText = '';

/** Both stages of a request that is answered at once are told one after the other. */
function referenceText(reference: ObjectReference): string {
  if (reference !== latestReference) {
    latestReferenceText = madeReferenceText(reference);
    latestReference = reference;
  }
  return latestReferenceText;
}

let latestKind: Pick<ObjectReference, 'resource' | 'apiGroup' | 'apiVersion' | 'subresource'> | undefined;
let latestResourceText = '';
let latestVersionText = '';

/** What comes before and behind the namespace and the name belongs to the kind. */
function madeReferenceText(reference: ObjectReference): string {
  const { resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource } = reference;
  if (
    latestKind === undefined ||
    resource !== latestKind.resource ||
    apiVersion !== latestKind.apiVersion ||
    apiGroup !== latestKind.apiGroup ||
    subresource !== latestKind.subresource
  ) {
    latestKind = { resource, apiGroup, apiVersion, subresource };
    latestResourceText = flat(`,"objectRef":{${memberText('resource', resource).slice(1)}`);
    latestVersionText = flat(memberText('apiGroup', apiGroup) + memberText('apiVersion', apiVersion));
  }
  let text = latestResourceText + memberText('namespace', namespace) + memberText('name', name);
  if (uid !== '') text += memberText('uid', uid);
  text += latestVersionText;
  if (resourceVersion !== '') text += memberText('resourceVersion', resourceVersion);
  if (subresource !== '') text += memberText('subresource', subresource);
  return `${resource === '' ? text.replace('{,', '{') : text}}`;
}

const memberText = (member: keyof ObjectReference, value: string): string =>
  value === '' ? '' : `,"${member}":${quoted(value)}`;

function statusText({ status, message, reason, details, code }: ResponseStatus): string {
  let text = ',"responseStatus":{"metadata":{}';
  if (status) text += `,"status":${quoted(status)}`;
  if (message) text += `,"message":${quoted(message)}`;
  if (reason) text += `,"reason":${quoted(reason)}`;
  if (details !== undefined) text += `,"details":${escaped(JSON.stringify(details))}`;
  if (code) text += `,"code":${code}`;
  return `${text}}`;
}

const annotationsTexts = new WeakMap<Readonly<Record<string, string>>, string>();

/** Most requests share the annotations that their authorization gives them. */
function annotationsText(annotations: Readonly<Record<string, string>>): string {
  const kept = annotationsTexts.get(annotations);
  if (kept !== undefined) return kept;
  const text = madeAnnotationsText(annotations);
  if (Object.isFrozen(annotations)) annotationsTexts.set(annotations, flat(text));
  return text;
}

function madeAnnotationsText(annotations: Readonly<Record<string, string>>): string {
  const keys = Object.keys(annotations);
  if (keys.length === 0) return '';
  if (keys.length > 1) keys.sort();
  let text = ',"annotations":{';
  for (let at = 0; at < keys.length; at++) {
    text += `${at === 0 ? '' : ','}${quoted(keys[at]!)}:${quoted(annotations[keys[at]!]!)}`;
  }
  return `${text}}`;
}

let latestTimes = { receivedMs: Number.NaN, stageMs: Number.NaN, text: '' };

function timesText(receivedMs: number, stageMs: number): string {
  if (receivedMs !== latestTimes.receivedMs || stageMs !== latestTimes.stageMs) {
    const text = `,"requestReceivedTimestamp":"${timeText(receivedMs)}","stageTimestamp":"${timeText(stageMs)}"`;
    latestTimes = { receivedMs, stageMs, text: flat(text) };
  }
  return latestTimes.text;
}

let latestTime = { ms: Number.NaN, text: '' };

function timeText(ms: number): string {
  if (ms !== latestTime.ms) latestTime = { ms, text: formatMicroTime(ms) };
  return latestTime.text;
}

/** Put into one piece once: a text that is joined from parts is walked through wherever it is part of another. */
function flat(text: string): string {
  text.charCodeAt(0);
  return text;
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
