/** A constructor for each of the API's errors, with upstream's code, reason and message. */

import { aggregateText, fieldErrorBody, type FieldError } from './field-error.ts';
import { goQuote } from './go-quote.ts';
import { formatGroupKind, formatGroupResource, type GroupKind, type GroupResource } from './meta.ts';
import { StatusError, type StatusCause, type StatusDetails } from './status.ts';

export const notFound = (resource: GroupResource, name: string): StatusError =>
  new StatusError(404, 'NotFound', `${quoted(resource, name)} not found`, detailsOf(resource, name));

export const alreadyExists = (resource: GroupResource, name: string): StatusError =>
  new StatusError(
    409,
    'AlreadyExists',
    `${quoted(resource, name)} already exists`,
    detailsOf(resource, name),
  );

export const generateNameConflict = (
  resource: GroupResource,
  name: string,
  retryAfterSeconds: number,
): StatusError =>
  new StatusError(
    409,
    'AlreadyExists',
    `${quoted(resource, name)} already exists, the server was not able to generate a unique name for the object`,
    detailsOf(resource, name, { retryAfterSeconds }),
  );

export const unauthorized = (reason = ''): StatusError =>
  new StatusError(401, 'Unauthorized', reason || 'not authorized');

export function forbidden(resource: GroupResource, name: string, reason: string): StatusError {
  const subject =
    resource.group === '' && resource.resource === ''
      ? 'forbidden'
      : `${name === '' ? formatGroupResource(resource) : quoted(resource, name)} is forbidden`;
  return new StatusError(403, 'Forbidden', `${subject}: ${reason}`, detailsOf(resource, name));
}

export const conflict = (resource: GroupResource, name: string, reason: string): StatusError =>
  new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${quoted(resource, name)}: ${reason}`,
    detailsOf(resource, name),
  );

/** The reason of a conflict between an update and a newer object. */
export const optimisticLockReason =
  'the object has been modified; please apply your changes to the latest version and try again';

export const applyConflict = (causes: StatusCause[], message: string): StatusError =>
  new StatusError(409, 'Conflict', message, { causes });

/** The requested resource version was compacted: the client must list again. */
export const expired = (message: string): StatusError => new StatusError(410, 'Expired', message);

export const gone = (message: string): StatusError => new StatusError(410, 'Gone', message);

/** All validation errors as one 422. */
export function invalid(kind: GroupKind, name: string, errors: readonly FieldError[]): StatusError {
  const causes = causesWithin(errors);
  const subject = `${formatGroupKind(kind)} ${goQuote(name)} is invalid`;
  return new StatusError(
    422,
    'Invalid',
    errors.length === 0 ? subject : `${subject}: ${aggregateText(causes.map(causeText))}`,
    details({ name, group: kind.group, kind: kind.kind, causes }),
  );
}

/** In characters. Some errors quote a whole list, once for each invalid item. */
const causesLengthMax = 64 * 1024 * 1024;

/** Drops causes beyond the limit. */
function causesWithin(errors: readonly FieldError[]): InvalidCause[] {
  const causes: InvalidCause[] = [];
  let length = 0;
  for (const error of errors) {
    const cause = { reason: error.type, message: fieldErrorBody(error), field: error.field };
    length += cause.field.length + cause.message.length;
    if (length > causesLengthMax && causes.length > 0) break;
    causes.push(cause);
  }
  return causes;
}

type InvalidCause = Required<StatusCause>;

const causeText = ({ field, message }: InvalidCause): string => `${field}: ${message}`;

export const badRequest = (reason: string): StatusError => new StatusError(400, 'BadRequest', reason);

export const tooManyRequests = (message: string, retryAfterSeconds = 0): StatusError =>
  new StatusError(429, 'TooManyRequests', message, details({ retryAfterSeconds }));

/** Refused without processing, by the limits on concurrent requests. */
export const overloaded = (message: string): StatusError =>
  new StatusError(429, 'TooManyRequests', `Too many requests: ${message}`);

export const serviceUnavailable = (reason: string, retryAfterSeconds = 0): StatusError =>
  new StatusError(
    503,
    'ServiceUnavailable',
    reason,
    retryAfterSeconds === 0 ? undefined : { retryAfterSeconds },
  );

export const methodNotSupported = (resource: GroupResource, action: string): StatusError =>
  new StatusError(
    405,
    'MethodNotAllowed',
    `${action} is not supported on resources of kind ${goQuote(formatGroupResource(resource))}`,
    detailsOf(resource, ''),
  );

export const timeout = (message: string, retryAfterSeconds = 0): StatusError =>
  new StatusError(504, 'Timeout', `Timeout: ${message}`, details({ retryAfterSeconds }));

export const internalError = (message: string): StatusError =>
  new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });

export const requestEntityTooLarge = (message: string): StatusError =>
  new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`);

/** None of the media types in Accept is supported. */
export const notAcceptable = (acceptable: readonly string[]): StatusError =>
  new StatusError(
    406,
    'NotAcceptable',
    `only the following media types are accepted: ${acceptable.join(', ')}`,
  );

export const unsupportedMediaType = (accepted: readonly string[]): StatusError =>
  new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );

export interface GenericResponse {
  readonly code: number;
  /** HTTP method; empty when unknown. */
  readonly verb: string;
  readonly resource?: GroupResource;
  readonly name?: string;
  readonly serverMessage?: string;
  readonly retryAfterSeconds?: number;
  /** The response was not a Status: its text is kept as a cause. */
  readonly unexpected?: boolean;
}

/** An error for a response that has only a status code. */
export function genericServerResponse(response: GenericResponse): StatusError {
  const { code, verb, resource = { group: '', resource: '' }, name = '', serverMessage = '' } = response;
  const { reason, message } = genericMeaning(code, verb, serverMessage);
  const where = resource.resource === '' && resource.group === '' ? '' : formatGroupResource(resource);
  const suffix = where === '' ? '' : ` (${verb.toLowerCase()} ${where}${name === '' ? '' : ` ${name}`})`;
  return new StatusError(
    code,
    reason,
    message + suffix,
    details({
      name,
      group: resource.group,
      kind: resource.resource,
      causes: response.unexpected ? [{ reason: 'UnexpectedServerResponse', message: serverMessage }] : [],
      retryAfterSeconds: response.retryAfterSeconds ?? 0,
    }),
  );
}

function genericMeaning(
  code: number,
  verb: string,
  serverMessage: string,
): { reason: string; message: string } {
  if (code === 409)
    return {
      reason: verb === 'POST' ? 'AlreadyExists' : 'Conflict',
      message: 'the server reported a conflict',
    };
  if (code === 403) return { reason: 'Forbidden', message: serverMessage };
  if (code === 415) return { reason: 'UnsupportedMediaType', message: serverMessage };
  if (code === 406 && serverMessage !== '' && serverMessage !== 'unknown') {
    return { reason: 'NotAcceptable', message: serverMessage };
  }
  const known = genericMeanings.get(code);
  if (known !== undefined) return { reason: known[0], message: known[1] };
  if (code < 500) {
    return {
      reason: '',
      message: `the server responded with the status code ${code} but did not return more information`,
    };
  }
  return {
    reason: 'InternalError',
    message: `an error on the server (${goQuote(serverMessage)}) has prevented the request from succeeding`,
  };
}

const genericMeanings: ReadonlyMap<number, readonly [reason: string, message: string]> = new Map([
  [404, ['NotFound', 'the server could not find the requested resource']],
  [400, ['BadRequest', 'the server rejected our request for an unknown reason']],
  [401, ['Unauthorized', 'the server has asked for the client to provide credentials']],
  [406, ['NotAcceptable', 'the server was unable to respond with a content type that the client supports']],
  [405, ['MethodNotAllowed', 'the server does not allow this method on the requested resource']],
  [422, ['Invalid', 'the server rejected our request due to an error in our request']],
  [503, ['ServiceUnavailable', 'the server is currently unable to handle the request']],
  [
    504,
    [
      'Timeout',
      'the server was unable to return a response in the time allotted, but may still be processing the request',
    ],
  ],
  [429, ['TooManyRequests', 'the server has received too many requests and has asked us to try again later']],
]);

const quoted = (resource: GroupResource, name: string): string =>
  `${formatGroupResource(resource)} ${goQuote(name)}`;

const detailsOf = (resource: GroupResource, name: string, more: StatusDetails = {}): StatusDetails =>
  details({ name, group: resource.group, kind: resource.resource, ...more });

/** Omits what Go's `omitempty` omits. */
function details(all: StatusDetails): StatusDetails {
  const kept: StatusDetails = {};
  if (all.name) kept.name = all.name;
  if (all.group) kept.group = all.group;
  if (all.kind) kept.kind = all.kind;
  if (all.uid) kept.uid = all.uid;
  if (all.causes?.length) kept.causes = all.causes;
  if (all.retryAfterSeconds) kept.retryAfterSeconds = all.retryAfterSeconds;
  return kept;
}
