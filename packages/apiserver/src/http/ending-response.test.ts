import { expect, test } from 'vitest';
import type { ApiResponse, StreamSink } from './api-response.ts';
import { whenOver } from './ending-response.ts';
import { nowhere } from './http1/write-answer.ts';

/** Opens a response whose source follows the sink, as a watch does. */
function opened(sink: StreamSink, wrappings: number) {
  const seen = { sourceStopped: 0, over: 0 };
  let response: ApiResponse = {
    status: 200,
    headers: {},
    body: { kind: 'stream', open: (given) => given.onClose(() => void seen.sourceStopped++) },
  };
  for (let at = 0; at < wrappings; at++) response = whenOver(response, () => void seen.over++);
  if (response.body.kind === 'stream') response.body.open(sink);
  return seen;
}

test.each([1, 2, 3])('a source learns that its client left before the response began (%i)', (wrappings) => {
  expect(opened(nowhere, wrappings)).toEqual({ sourceStopped: 1, over: wrappings });
});

test('a source learns that its client leaves later, once', () => {
  let leave = (): void => undefined;
  const seen = opened({ ...nowhere, onClose: (listener) => (leave = listener) }, 2);
  expect(seen).toEqual({ sourceStopped: 0, over: 0 });
  leave();

  expect(seen).toEqual({ sourceStopped: 1, over: 2 });
});
