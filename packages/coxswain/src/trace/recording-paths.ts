/**
 * `/debug/coxswain/recording`: recordings of a running cluster, for those whom RBAC lets have them (cluster
 * administrators, unless rules say otherwise).
 *
 * - `GET  …?seconds=30`: waits so long, and answers with what happened meanwhile
 * - `POST …`: begins one, and answers `{"id"}`
 * - `GET  …/ID`: what it has so far
 * - `DELETE …/ID`: the same, and ends it
 *
 * `user`, `verb` and `resource` select requests, with all that they led to.
 */

import { randomUUID } from 'node:crypto';
import { StatusError, type Clock, type Timer } from '@coxswain/apimachinery';
import type { ApiRequest } from '@coxswain/apiserver/http/api-request.ts';
import type { ApiResponse } from '@coxswain/apiserver/http/api-response.ts';
import type { PlainRoutes } from '@coxswain/apiserver/routing/plain-routes.ts';
import type { OngoingRecording, RecordingSwitch } from '@coxswain/trace/recording-switch.ts';
import { selected } from '@coxswain/trace/select.ts';

export const recordingPath = '/debug/coxswain/recording';

const secondsDefault = 30;
const secondsMax = 600;
/** One that nobody asks for any more ends after this. */
const forgottenMs = 600_000;
const ongoingMax = 8;

interface Kept extends OngoingRecording {
  timer: Timer;
}

export function installRecordingPaths(plain: PlainRoutes, recordings: RecordingSwitch, clock: Clock): void {
  const kept = new Map<string, Kept>();
  const end = (id: string): void => {
    kept.get(id)?.timer.cancel();
    kept.get(id)?.stop();
    kept.delete(id);
  };
  const forgetLater = (id: string): Timer => clock.after(forgottenMs, () => end(id), { idle: true });

  const begin = (): ApiResponse => {
    if (kept.size >= ongoingMax)
      throw new StatusError(429, 'TooManyRequests', `${ongoingMax} recordings are under way already`);
    const id = randomUUID();
    kept.set(id, { ...recordings.record(), timer: forgetLater(id) });
    return json(201, { id });
  };

  const onCollection = (request: ApiRequest): ApiResponse | Promise<ApiResponse> => {
    if (request.method === 'POST') return begin();
    if (request.method !== 'GET') throw notAllowed();
    return recordFor(request, recordings, clock);
  };

  const onOne = (request: ApiRequest): ApiResponse => {
    const id = request.info.path.slice(recordingPath.length + 1);
    const one = kept.get(id);
    if (one === undefined) throw new StatusError(404, 'NotFound', `recording "${id}" not found`);
    if (request.method !== 'GET' && request.method !== 'DELETE') throw notAllowed();
    const answer = answered(request, one);
    one.timer.cancel();
    if (request.method === 'DELETE') end(id);
    else one.timer = forgetLater(id);
    return answer;
  };

  plain.addUnlisted(recordingPath, onCollection);
  plain.addPrefix(`${recordingPath}/`, onOne, () => []);
}

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

function answered({ parameters }: ApiRequest, recording: OngoingRecording): ApiResponse {
  const asked = Object.fromEntries(
    ['user', 'verb', 'resource'].map((name) => [name, parameters.get(name) ?? '']),
  );
  return json(200, selected(recording.soFar(), asked));
}

const notAllowed = (): StatusError =>
  new StatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');

const json = (status: number, value: unknown): ApiResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: { kind: 'bytes', bytes: new TextEncoder().encode(`${JSON.stringify(value)}\n`) },
});
