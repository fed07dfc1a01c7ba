/**
 * The JSON that all events of a request share: the user and the request. Clients repeat the same verbs on the same
 * kinds, so everything but the URI and the object's name is cached per user.
 */
import type { UserInfo } from '../user.ts';
import type { AuditEvent, ObjectReference } from './audit-event.ts';
import { escaped, flat, inQuotes, quoted } from './json-pieces.ts';

/** The JSON from within the quotes of `requestURI` up to the object reference. */
export function requestText(event: AuditEvent): string {
  const { objectRef, user } = event;
  const uri = inQuotes(event.requestUri);
  if (user === undefined || event.impersonatedUser !== undefined || event.impersonationConstraint !== '') {
    const text = uri + askerText(event);
    return objectRef === undefined ? text : text + referenceHead(objectRef) + referenceRest(objectRef);
  }
  const asker = askerOf(event, user);
  if (objectRef === undefined) return uri + asker.text;
  return uri + headFor(asker, objectRef) + referenceRest(objectRef);
}

/** The most recent request of a user with one verb; the next one is usually alike. */
interface Asker {
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  readonly text: string;
  /** By resource. */
  readonly heads: Map<string, Head>;
}

/** For the namespace of the most recent object. */
interface Head {
  readonly namespace: string;
  readonly text: string;
}

/** The maximum number of cached verbs per user; only invented HTTP methods could exceed it. */
const verbsMax = 16;
/** The maximum number of cached resources per user and verb; others are assembled each time. */
const resourcesMax = 64;

const askersOf = new WeakMap<UserInfo, Map<string, Asker>>();

function askerOf(event: AuditEvent, user: UserInfo): Asker {
  const { verb, sourceIps, userAgent } = event;
  let askers = askersOf.get(user);
  if (askers === undefined) askersOf.set(user, (askers = new Map()));
  const known = askers.get(verb);
  if (known?.userAgent === userAgent && known.sourceIps === sourceIps) return known;
  const asker = { sourceIps, userAgent, text: flat(askerText(event)), heads: new Map() };
  if (known !== undefined || askers.size < verbsMax) askers.set(verb, asker);
  return asker;
}

function headFor({ text, heads }: Asker, reference: ObjectReference): string {
  const { resource, namespace } = reference;
  const known = heads.get(resource);
  if (known?.namespace === namespace) return known.text;
  const head = { namespace, text: flat(text + referenceHead(reference)) };
  if (known !== undefined || heads.size < resourcesMax) heads.set(resource, head);
  return head.text;
}

/** The user, the impersonated user, the source addresses and the user agent. */
function askerText(event: AuditEvent): string {
  const { impersonatedUser, impersonationConstraint } = event;
  let text = `","verb":${quoted(event.verb)},"user":${userText(event.user)}`;
  if (impersonatedUser !== undefined) text += `,"impersonatedUser":${userText(impersonatedUser)}`;
  if (impersonationConstraint !== '') {
    text += `,"authenticationMetadata":{"impersonationConstraint":${quoted(impersonationConstraint)}}`;
  }
  if (event.sourceIps.length > 0) text += `,"sourceIPs":["${event.sourceIps.join('","')}"]`;
  if (event.userAgent !== '') text += `,"userAgent":${quoted(event.userAgent)}`;
  return text;
}

function userText(user: UserInfo | undefined): string {
  if (user === undefined) return '{}';
  const { name, uid, groups, extra = {} } = user;
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

function referenceHead({ resource, namespace }: ObjectReference): string {
  const text = memberText('resource', resource) + memberText('namespace', namespace);
  return `,"objectRef":{${text.slice(1)}`;
}

/** Of the kind of the most recent object. */
let latest = { apiGroup: '', apiVersion: '', subresource: '', text: '' };

function referenceRest(reference: ObjectReference): string {
  const { resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource } = reference;
  let text = name === '' ? '' : `,"name":"${inQuotes(name)}"`;
  if (uid !== '') text += memberText('uid', uid);
  if (resourceVersion !== '') {
    text += memberText('apiGroup', apiGroup) + memberText('apiVersion', apiVersion);
    text += `${memberText('resourceVersion', resourceVersion)}${memberText('subresource', subresource)}}`;
  } else {
    if (
      apiVersion !== latest.apiVersion ||
      apiGroup !== latest.apiGroup ||
      subresource !== latest.subresource
    ) {
      const kind = memberText('apiGroup', apiGroup) + memberText('apiVersion', apiVersion);
      latest = {
        apiGroup,
        apiVersion,
        subresource,
        text: flat(`${kind}${memberText('subresource', subresource)}}`),
      };
    }
    text += latest.text;
  }
  const isFirst = resource === '' && namespace === '' && text.startsWith(',');
  return isFirst ? text.slice(1) : text;
}

const memberText = (member: keyof ObjectReference, value: string): string =>
  value === '' ? '' : `,"${member}":${quoted(value)}`;
