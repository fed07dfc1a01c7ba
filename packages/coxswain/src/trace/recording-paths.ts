/**
 * `/debug/coxswain/recording`: recordings of a running cluster, for users authorized by RBAC (by default, cluster
 * administrators).
 *
 * - `GET  …?seconds=30`: records for this long and returns the result
 * - `POST …`: starts a recording and returns `{"id"}`
 * - `GET  …/ID`: returns what has been recorded so far
 * - `DELETE …/ID`: returns the same and ends the recording
 *
 * - `GET /debug/coxswain/writes?resource=&namespace=&name=`: returns the latest writes of an object, without a recording
 *
 * A request with the header `Coxswain-Record` starts one as well, which its response identifies. `user`, `verb` and
 * `resource` select requests, with all their consequences; with `names=true` the response is `{"names"}`, with
 * `outline=true` it lacks steps and sources. The data of Secrets is included only if both the request that starts the
 * recording and the one that reads it have `secrets=true`, and only for the user who started it, while they may get
 * Secrets in all namespaces.
 */

import { randomUUID } from 'node:crypto';
import { runStep, scopeOf, StatusError, type Clock, type Timer } from '@coxswain/apimachinery';
import { parseTraceParent } from '@coxswain/apimachinery/trace-parent.ts';
import type { Authorizer, Filter, Next } from '@coxswain/apiserver';
import { forbiddenError } from '@coxswain/apiserver/authorization/forbidden.ts';
import { attributesOf } from '@coxswain/apiserver/filters/authorize.ts';
import { requestUndertaking, type ApiRequest } from '@coxswain/apiserver/http/api-request.ts';
import { jsonResponse, type ApiResponse } from '@coxswain/apiserver/http/api-response.ts';
import { errorResponse } from '@coxswain/apiserver/negotiation/error-response.ts';
import type { PlainRoutes } from '@coxswain/apiserver/routing/plain-routes.ts';
import type { OngoingRecording, RecordingSwitch } from '@coxswain/trace/recording-switch.ts';
import type { Recording } from '@coxswain/trace/recording.ts';
import { noted, selected, withEffects } from '@coxswain/trace/select.ts';
import { RecentWrites, writesPath } from './recent-writes.ts';

export const recordingPath = '/debug/coxswain/recording';

const secondsDefault = 30;
const secondsMax = 600;
/** A recording ends if it is not requested for this long. */
const forgottenMs = 600_000;
const ongoingMax = 8;

/**
 * Sent with a request that asks for a recording of itself and all its consequences; the response states its location.
 */
const ownHeader = 'coxswain-record';

export interface RecordingService {
  readonly extraPaths: (plain: PlainRoutes) => void;
  readonly extraFilter: (authorizer: Authorizer) => Filter;
}

interface Kept extends OngoingRecording {
  timer: Timer;
  /** The request that the recording belongs to. */
  own?: string | undefined;
  /** The user who started it, if they requested the data of Secrets. */
  readonly secretsFor?: string | undefined;
}

export function recordingService(recordings: RecordingSwitch, clock: Clock): RecordingService {
  const kept = new Map<string, Kept>();
  const writes = new RecentWrites(clock);
  const end = (id: string): void => {
    kept.get(id)?.timer.cancel();
    kept.get(id)?.stop();
    kept.delete(id);
  };
  const forgetLater = (id: string): Timer => clock.after(forgottenMs, () => end(id), { idle: true });

  const begin = (secretsFor?: string): string => {
    if (kept.size >= ongoingMax)
      throw new StatusError(429, 'TooManyRequests', `${ongoingMax} recordings are under way already`);
    const id = randomUUID();
    kept.set(id, { ...recordings.record(), timer: forgetLater(id), secretsFor });
    return id;
  };

  const onCollection = (request: ApiRequest): ApiResponse | Promise<ApiResponse> => {
    if (request.method === 'POST')
      return jsonResponse(201, { id: begin(asksForSecrets(request) ? request.user.name : undefined) });
    if (request.method !== 'GET') throw notAllowed();
    return recordFor(request, recordings, clock);
  };

  const onOne = (request: ApiRequest): ApiResponse => {
    const id = request.info.path.slice(recordingPath.length + 1);
    const one = kept.get(id);
    if (one === undefined) throw new StatusError(404, 'NotFound', `recording "${id}" not found`);
    if (request.method !== 'GET' && request.method !== 'DELETE') throw notAllowed();
    if (asksForSecrets(request) && one.secretsFor !== request.user.name)
      throw new StatusError(
        403,
        'Forbidden',
        'only who began a recording with secrets=true sees Secrets in it',
      );
    const answer = answered(request, one, one.own);
    one.timer.cancel();
    if (request.method === 'DELETE') end(id);
    else one.timer = forgetLater(id);
    return answer;
  };

  const withSecrets = async (
    request: ApiRequest,
    next: Next,
    authorizer: Authorizer,
  ): Promise<ApiResponse> => {
    const wanted = { ...attributesOf(request), ...secretAccess };
    const { kind, reason } = await authorizer.decide(wanted);
    return kind === 'allow' ? next(request) : errorResponse(request, forbiddenError(wanted, reason));
  };

  /** Access to recordings is required here, too; other users are refused. */
  const onOwn = async (request: ApiRequest, next: Next, authorizer: Authorizer): Promise<ApiResponse> => {
    const wanted = { ...attributesOf(request), ...recordingAccess };
    const { kind, reason } = await authorizer.decide(wanted);
    if (kind !== 'allow') return errorResponse(request, forbiddenError(wanted, reason));
    const id = begin();
    request.responseHeaders[ownHeader] = `${recordingPath}/${id}`;
    request.observer ??= scopeOf(recordings.observer, () => requestUndertaking(request.incoming));
    kept.get(id)!.own = parseTraceParent(request.observer?.traceParent?.())?.spanId;
    return runStep(request.observer, 'record', async () => next(request));
  };

  return {
    extraPaths(plain) {
      plain.addUnlisted(recordingPath, onCollection);
      plain.addPrefix(`${recordingPath}/`, onOne, () => []);
      plain.addUnlisted(writesPath, writes.answer);
    },
    extraFilter: (authorizer) => ({
      step: 'record',
      handle(request, next) {
        if (request.headers[ownHeader] !== undefined) return onOwn(request, next, authorizer);
        return isOfRecordings(request) && asksForSecrets(request)
          ? withSecrets(request, next, authorizer)
          : writes.handle(request, next);
      },
    }),
  };
}

const recordingAccess = {
  isResourceRequest: false,
  verb: 'post',
  path: recordingPath,
  namespace: '',
  group: '',
  version: '',
  resource: '',
  subresource: '',
  name: '',
} as const;

const secretAccess = {
  isResourceRequest: true,
  verb: 'get',
  path: '',
  namespace: '',
  group: '',
  version: 'v1',
  resource: 'secrets',
  subresource: '',
  name: '',
} as const;

const asksForSecrets = ({ parameters }: ApiRequest): boolean => parameters.get('secrets') === 'true';

const isOfRecordings = ({ info: { path } }: ApiRequest): boolean =>
  path === recordingPath || path.startsWith(`${recordingPath}/`);

async function recordFor(
  request: ApiRequest,
  recordings: RecordingSwitch,
  clock: Clock,
): Promise<ApiResponse> {
  const given = request.parameters.get('seconds');
  const seconds = given === null ? secondsDefault : Number(given);
  if (!(seconds > 0 && seconds <= secondsMax))
    throw new StatusError(
      400,
      'BadRequest',
      `seconds must be a number from 0 to ${secondsMax}, not "${given}"`,
    );
  const recording = recordings.record();
  try {
    await clock.sleep(seconds * 1000, request.signal);
    return answered(request, recording);
  } finally {
    recording.stop();
  }
}

function answered(request: ApiRequest, recording: OngoingRecording, own?: string): ApiResponse {
  const { parameters } = request;
  const showsSecrets = asksForSecrets(request);
  const asked = Object.fromEntries(
    ['user', 'verb', 'resource'].map((name) => [name, parameters.get(name) ?? '']),
  );
  const part = (): Recording => {
    const all = withoutItself(recording.soFar({ showsSecrets }));
    return selected(own === undefined ? all : withEffects(all, ({ id }) => id === own), asked);
  };
  if (parameters.get('outline') === 'true') return jsonResponse(200, outlineOf(part()));
  if (parameters.get('names') !== 'true') return jsonResponse(200, part());
  const isWhole = own === undefined && Object.values(asked).every((value) => value === '');
  const names = isWhole ? recording.names() : part().undertakings.map(({ name }) => name);
  return jsonResponse(200, { names: names.filter((name) => !isOfRecording(name)) });
}

/** The undertakings with their users and causes, for clients that poll. */
function outlineOf(recording: Recording): Recording {
  const { sources: _, ...outline } = recording;
  const undertakings = recording.undertakings.map((one) => {
    const user = one.kind === 'request' ? noted(one.steps, 'user') : undefined;
    return { ...one, steps: [], ...(user !== undefined && { values: { ...one.values, user } }) };
  });
  return { ...outline, undertakings };
}

/** Omits the requests for the recording itself. */
const withoutItself = (recording: Recording): Recording => ({
  ...recording,
  undertakings: recording.undertakings.filter(({ name }) => !isOfRecording(name)),
});

const isOfRecording = (name: string): boolean => name.includes(` ${recordingPath}`);

const notAllowed = (): StatusError =>
  new StatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');
