/** Logs over HTTP: parses the query, and streams lines as the body. */
import { StatusError } from '@coxswain/apimachinery';
import type { ApiRequest, ApiResponse, StreamSink } from '@coxswain/apiserver';
import type { LogOptions } from '../connection.ts';

/** Parses `PodLogOptions` in a query. @throws StatusError 400 or 422 with upstream's message */
export function logOptions(request: ApiRequest, parameters: URLSearchParams): LogOptions {
  const flag = (name: string) => !['false', '0'].includes(parameters.get(name) ?? 'false');
  const sinceSeconds = integerOf(parameters, 'sinceSeconds');
  const sinceTime = timeOf(parameters, 'sinceTime');
  const tailLines = integerOf(parameters, 'tailLines');
  const limitBytes = integerOf(parameters, 'limitBytes');
  const stream = parameters.get('stream');
  const isValid =
    (tailLines ?? 0) >= 0 &&
    (limitBytes ?? 1) >= 1 &&
    (sinceSeconds ?? 1) >= 1 &&
    (sinceSeconds === undefined || sinceTime === undefined) &&
    streams.includes(stream ?? 'All') &&
    (tailLines === undefined || (stream ?? 'All') === 'All');
  if (!isValid) throw new StatusError(422, 'Invalid', '{"message": "Invalid request."}');
  return {
    follow: flag('follow'),
    previous: flag('previous'),
    timestamps: flag('timestamps'),
    signal: request.signal,
    ...(tailLines !== undefined && { tailLines }),
    ...(limitBytes !== undefined && { limitBytes }),
    ...(sinceSeconds !== undefined && { sinceMs: request.receivedAtMs - sinceSeconds * 1000 }),
    ...(sinceTime !== undefined && { sinceMs: sinceTime }),
    ...(stream !== null && { stream }),
  };
}

const streams = ['All', 'Stdout', 'Stderr'];

const undecodable = (): StatusError =>
  new StatusError(400, 'BadRequest', '{"message": "Unable to decode query."}');

function integerOf(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  if (!/^[-+]?\d+$/.test(text)) throw undecodable();
  return Number(text);
}

function timeOf(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw undecodable();
  return ms;
}

/** @param onFailure called if the log can't be read to its end */
export const streamedLog = (
  lines: AsyncIterable<Uint8Array>,
  onFailure: (failure: unknown) => void = () => undefined,
): ApiResponse => ({
  status: 200,
  headers: { 'content-type': 'text/plain' },
  body: {
    kind: 'stream',
    open: (sink) =>
      void pour(lines, sink).catch((failure: unknown) => {
        onFailure(failure);
        sink.abort();
      }),
  },
});

/** Reads no faster than the client. */
async function pour(lines: AsyncIterable<Uint8Array>, sink: StreamSink): Promise<void> {
  const reader = lines[Symbol.asyncIterator]();
  sink.onClose(() => void reader.return?.());
  for (let next = await reader.next(); next.done !== true; next = await reader.next()) {
    sink.write(next.value);
    await sink.drained();
  }
  sink.end();
}
