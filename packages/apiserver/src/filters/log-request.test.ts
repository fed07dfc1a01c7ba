import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { ApiRequest, type Peer } from '../http/api-request.ts';
import { textResponse } from '../http/api-response.ts';
import { logRequest, requestLines } from './log-request.ts';

/** The log lines of one request that took this long. */
async function linesOf(peer: Peer, tookMs: number, status: number): Promise<readonly string[]> {
  const clock = new ManualClock();
  const lines: string[] = [];
  const { handle } = logRequest(
    clock,
    requestLines(false, (line) => void lines.push(line)),
  );
  const request = new ApiRequest({
    method: 'GET',
    path: '/api/v1/pods',
    query: '',
    headers: {},
    body: { kind: 'none' },
    peer,
    structured: false,
    signal: () => new AbortController().signal,
  });
  request.startedAtMs = clock.monotonic();
  await handle(request, async () => {
    await clock.advance(tookMs);
    return textResponse(status, '');
  });
  return lines;
}

const client: Peer = { address: '192.0.2.7', tls: true, protocol: 'HTTP/2.0' };
const partOfThisProcess: Peer = { address: '', tls: false, protocol: 'in-process' };

test.each([
  ['a slow request of a client', client, 600, 200, /^"HTTP \(slow\)" .*latency="600\.000ms"/],
  ['a failed request of a client', client, 1, 500, /^"HTTP" .*resp=500$/],
  ['a failed request of a part of this process', partOfThisProcess, 600, 500, /^"HTTP" .*resp=500$/],
])('%s is told', async (_what, peer, tookMs, status, line) => {
  expect(await linesOf(peer, tookMs, status)).toEqual([expect.stringMatching(line)]);
});

test.each([
  ['a request of a client that is answered in time', client, 1],
  ['a slow request of a part of this process, which waits for itself', partOfThisProcess, 600],
])('%s is not told', async (_what, peer, tookMs) => {
  expect(await linesOf(peer, tookMs, 200)).toEqual([]);
});
