/** Logs over HTTP: what a query asks for, and lines as a body. */
import type { ApiRequest, ApiResponse, StreamSink } from '@coxswain/apiserver';
import type { LogOptions } from '../connection.ts';

/** Of `PodLogOptions` in a query. */
export function logOptions(request: ApiRequest, parameters: URLSearchParams): LogOptions {
  const number = (name: string) => (parameters.has(name) ? Number(parameters.get(name)) : undefined);
  const flag = (name: string) => !['false', '0'].includes(parameters.get(name) ?? 'false');
  const sinceSeconds = number('sinceSeconds');
  const sinceTime = parameters.get('sinceTime');
  const tailLines = number('tailLines');
  const limitBytes = number('limitBytes');
  const stream = parameters.get('stream');
  return {
    follow: flag('follow'),
    previous: flag('previous'),
    timestamps: flag('timestamps'),
    signal: request.signal,
    ...(tailLines !== undefined && { tailLines }),
    ...(limitBytes !== undefined && { limitBytes }),
    ...(sinceSeconds !== undefined && { sinceMs: request.receivedAtMs - sinceSeconds * 1000 }),
    ...(sinceTime !== null && { sinceMs: Date.parse(sinceTime) }),
    ...(stream !== null && { stream }),
  };
}

/** @param onFailure told when the log can't be read to its end */
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

/** No faster than it is read. */
async function pour(lines: AsyncIterable<Uint8Array>, sink: StreamSink): Promise<void> {
  const reader = lines[Symbol.asyncIterator]();
  sink.onClose(() => void reader.return?.());
  for (let next = await reader.next(); next.done !== true; next = await reader.next()) {
    sink.write(next.value);
    await sink.drained();
  }
  sink.end();
}
